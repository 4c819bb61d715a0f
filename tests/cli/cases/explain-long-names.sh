# SPDX-License-Identifier: MIT
# Long names of classes are cut in the middle, so that tables fit; never so much that two of them look alike.
unset COLUMNS
credence convert graph.npz in.csv --to csv
rm in.csv/classes.csv
begin=Arts_and_Sciences_of_the_Nineteenth_Century/Foundations_and_Notions
sed -i "s|,A\$|,$begin/Beginnings|; s|,B\$|,$begin/Mathematics|; s|,C\$|,$begin/Physics|" in.csv/labels.csv
credence train in.csv -o m -q --left-out name:D --split 20/20/60 --max-epochs 5
credence explain m in.csv --node 7 --top 5 > a
awk 'NR > 2 && length > 100 { print "too long: " $0; bad = 1 } END { exit bad }' a
sed -n 2p a | grep -Eqx "  labelled ($begin/.*|D \(left out\))"
[ "$(grep -Ec '^[0-9]+ .* Arts_[a-z_]*\.\.\.[A-Za-z_/]*(Beginnings|Mathematics|Physics) ' a)" = 5 ]
COLUMNS=250 credence explain m in.csv --node 7 --top 5 > b
if grep -F ... b; then exit 3; fi
grep -Eq "^[0-9]+ .* $begin/(Beginnings|Mathematics|Physics) " b
# Names that differ in the middle alone are cut less.
sed -i "s|$begin/Mathematics|the_first_part_of_all_volume_1_of_the_things_that_are|
    s|$begin/Physics|the_first_part_of_all_volume_2_of_the_things_that_are|" in.csv/labels.csv
credence train in.csv -o m -q --left-out name:D --split 20/20/60 --max-epochs 5
COLUMNS=60 credence explain m in.csv --node 7 --top 150 > c
[ "$(grep -Eo '(the_|are|[a-z_]*\.\.\.)[a-z_]*[12]_of_the_things_that_are' c | sort -u | wc -l)" -ge 2 ]
# info: values stand beside their names, and long names below each other.
credence info m > d
grep -Eqx 'features +40' d
grep -Eqx 'nodes of the training graph  150' d
grep -Eqx '  the_first_part_of_all_volume_1_of_the_things_that_are' d
