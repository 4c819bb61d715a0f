/* SPDX-License-Identifier: MIT */
/* What text leaves open: headers, columns of ids, where numbering starts, which rows belong to which nodes. */
#include "unit/dataset_helpers.h"

static void check_edges(const char *text, const char *edges, int64_t nodes, const char *note)
{
    crd_dataset *dataset = open_text(text);
    assert_string_equal(edges_of(&dataset->input), edges);
    assert_int_equal(crd_dataset_nodes(dataset), nodes);
    if (note != NULL && !has_note(dataset, note)) fail_msg("no note '%s' about '%s'", note, text);
    if (note == NULL) assert_false(has_note(dataset, "header"));
    crd_dataset_free(&dataset);
}

static void headers_above_names(void **state)
{
    (void)state;
    check_edges("payer,payee\nann,ben\nben,cas\n", "0>1 1>2", 3,
                "test: the first row (payer, payee) is read as a header");
    check_edges("giver,taker\nann,ben\nben,cas\n", "0>1 1>2", 3,
                "test: the first row (giver, taker) is read as a header");
    check_edges("paper,paper\nann,ben\nben,cas\n", "0>1 1>2", 3, "(paper, paper)");
    check_edges("user_id,itemId\nann,ben\nben,cas\n", "0>1 1>2", 3, "(user_id, itemId)");
    check_edges("src,dst\nann,ben\n", "0>1", 2, NULL);         /* known words need one row only, */
    check_edges("giver,taker\nann,ben\n", "0>1 2>3", 4, NULL); /* others need two */
    check_edges("u,v\nv,w\nw,x\n", "0>1 1>2 2>3", 4, NULL);    /* these are names here */
    check_edges("giver,ann\nann,ben\nben,cas\n", "0>1 1>2 2>3", 4, NULL);
    check_edges("source,target\ntarget,walmart\nwalmart,kmart\n", "0>1 1>2", 3, NULL);
    check_edges("giver,7\nann,ben\nben,cas\n", "0>1 2>3 3>4", 5, NULL); /* a number is no header */
    /* Among numbers a row of words is a header, as usual; a half one gives a note. */
    check_edges("giver,taker\n0,1\n1,2\n", "0>1 1>2", 3, NULL);
    check_edges("giver,7\n0,1\n1,2\n", "0>1 1>2", 3, "the first row (giver, 7) is read as a header");
    check_edges("giver,taker\n0.0,1.0\n1.0,2.0\n", "0>1 1>2", 3, NULL);
}

/* What looks like a header is an edge if another file has its nodes. */
static void other_files_decide_about_headers(void **state)
{
    const char *edges = put(state, "g.csv", "ann,ben\ncas,dan\ndan,eve\n");
    crd_dataset *dataset = open_with(edges, NULL, NULL);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    assert_true(has_note(dataset, "g.csv: the first row (ann, ben) is read as a header"));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, NULL, put(state, "l.csv", "ben,1\ncas,0\ndan,1\n"));
    assert_int_equal(crd_dataset_nodes(dataset), 5); /* ben cas dan, then ann eve */
    assert_string_equal(edges_of(&dataset->input), "1>2 2>4 3>0");
    assert_false(has_note(dataset, "header"));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, put(state, "f.csv", "ann,1\nben,2\ncas,3\ndan,4\neve,5\n"), NULL);
    assert_string_equal(edges_of(&dataset->input), "0>1 2>3 3>4");
    crd_dataset_free(&dataset);
    /* Lines are still counted from the first line of the file. */
    refuses_with(put(state, "h.csv", "giver,taker\ncas,dan\ndan,zed\n"), put(state, "f2.csv", "cas,3\ndan,4\n"), NULL,
                 CRD_ERROR_MISMATCH, "h.csv: line 3: node 'zed' is not in");
}

static crd_dataset *open_as(const char *path, const char *features, const char *labels, crd_header header,
                            crd_first_id first_id)
{
    crd_open_options options = {
        .size = sizeof options, .features = features, .labels = labels, .header = header, .first_id = first_id};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_open(path, &options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static void options_decide_about_headers(void **state)
{
    const char *edges = put(state, "g.csv", "ann,ben\ncas,dan\ndan,eve\n"), *one = put(state, "o.csv", "u,v\na,b\n");
    const char *numbers = put(state, "n.csv", "0,1\n1,2\n2,3\n");
    crd_dataset *dataset = open_as(edges, NULL, NULL, CRD_HEADER_NO, CRD_FIRST_ID_AUTO);
    assert_string_equal(edges_of(&dataset->input), "0>1 2>3 3>4");
    assert_false(has_note(dataset, "header"));
    crd_dataset_free(&dataset);
    dataset = open_as(one, NULL, NULL, CRD_HEADER_YES, CRD_FIRST_ID_AUTO);
    assert_string_equal(edges_of(&dataset->input), "0>1");
    crd_dataset_free(&dataset);
    dataset = open_as(numbers, NULL, NULL, CRD_HEADER_YES, CRD_FIRST_ID_0);
    assert_string_equal(edges_of(&dataset->input), "1>2 2>3");
    crd_dataset_free(&dataset);
    /* Features whose columns are called by numbers, and labels whose header could be a class. */
    dataset = open_as(put(state, "h.csv", "a,b\n0,1\n1,2\n"), put(state, "f.csv", "0,1\n0.5,2\n3,4\n5,6\n"),
                      put(state, "l.csv", "7\n0\n1\n0\n"), CRD_HEADER_YES, CRD_FIRST_ID_AUTO);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_true(feature(dataset, 0, 0) == 0.5f);
    assert_string_equal(labels_of(dataset), "0 1 0");
    crd_dataset_free(&dataset);
    dataset = open_as(put(state, "h.csv", "a,b\nb,c\n"), NULL, put(state, "l.csv", "node,label\na,x\nb,y\n"),
                      CRD_HEADER_NO, CRD_FIRST_ID_AUTO);
    assert_string_equal(labels_of(dataset), "0 1 2 -1"); /* node a b c */
    crd_dataset_free(&dataset);
}

static void options_decide_about_first_ids(void **state)
{
    const char *edges = put(state, "g.csv", "1,2\n2,3\n"), *labels = put(state, "l.csv", "1,a\n2,b\n3,a\n");
    crd_dataset *dataset = open_as(edges, NULL, NULL, CRD_HEADER_AUTO, CRD_FIRST_ID_1);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_string_equal(crd_dataset_node_name(dataset, 0), "1");
    assert_true(has_note(dataset, "ids start at 1"));
    crd_dataset_free(&dataset);
    dataset = open_as(edges, NULL, labels, CRD_HEADER_AUTO, CRD_FIRST_ID_0);
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    assert_string_equal(labels_of(dataset), "-1 0 1 0");
    assert_false(has_note(dataset, "node 0"));
    crd_dataset_free(&dataset);
    /* A matrix has no ids of its own; the labels beside it do. */
    const char *mtx = put(state, "g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    dataset = open_as(mtx, NULL, labels, CRD_HEADER_AUTO, CRD_FIRST_ID_1);
    assert_string_equal(labels_of(dataset), "0 1 0");
    crd_dataset_free(&dataset);
    /* Numbers that are too large are names and stay as they are. */
    dataset = open_as(put(state, "big.csv", "70000,80000\n"), NULL, NULL, CRD_HEADER_AUTO, CRD_FIRST_ID_1);
    assert_string_equal(crd_dataset_node_name(dataset, 0), "70000");
    assert_false(has_note(dataset, "ids start at 1"));
    crd_dataset_free(&dataset);
    crd_open_options options = {
        .size = sizeof options, .first_id = CRD_FIRST_ID_1, .features = put(state, "two.csv", "0.5\n1.5\n")};
    crd_error wrong = {0};
    assert_int_equal(crd_dataset_open(edges, &options, &dataset, &wrong), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(wrong.message, "g.csv: line 2: node 3 does not exist: "));
    assert_non_null(strstr(wrong.message, "two.csv has 2 nodes, numbered from 1"));
    options.features = NULL;
    crd_error error = {0};
    assert_int_equal(crd_dataset_open(put(state, "z.csv", "0,1\n"), &options, &dataset, &error), CRD_ERROR_MISMATCH);
    assert_string_equal(error.about, "first-id");
    assert_non_null(strstr(error.message, "first-id is 1, but"));
}

static void check_label_header(void **state, const char *text, const char *labels, const char *note)
{
    const char *edges = put(state, "g.csv", "ann,ben\nben,cas\ncas,dan\n");
    crd_dataset *dataset = open_with(edges, NULL, put(state, "l.csv", text));
    assert_string_equal(labels_of(dataset), labels);
    if (note != NULL && !has_note(dataset, note)) fail_msg("no note '%s' about '%s'", note, text);
    if (note == NULL) assert_false(has_note(dataset, "header"));
    crd_dataset_free(&dataset);
}

static void headers_above_labels(void **state)
{
    check_label_header(state, "account,type\nann,b\nben,a\ncas,b\n", "1 0 1 -1", NULL);
    check_label_header(state, "paper,topic\nann,b\nben,a\n", "1 0 -1 -1", NULL);
    check_label_header(state, "customer_id,class\nann,b\n", "0 -1 -1 -1", NULL);
    check_label_header(state, "who,what\nann,b\nben,a\n", "1 0 -1 -1",
                       "l.csv: the first row (who, what) is read as a header");
    check_label_header(state, "who,b\nann,b\nben,a\n", "1 1 0 -1 -1", NULL); /* its label is one */
    check_label_header(state, "dan,c\nann,b\nben,a\n", "2 1 0 -1", NULL);    /* its node is one */
    check_label_header(state, "dan,c\nann,1\nben,0\n", "2 1 0 -1", NULL);
    check_label_header(state, "who,what\nann,b\n", "1 0 -1 -1 -1", NULL);     /* too little to tell */
    check_label_header(state, "who,what\nann,1\nben,0\n", "1 0 -1 -1", NULL); /* among numbers, as ever */
    check_label_header(state, "7,what\nann,b\nben,a\n", "2 1 0 -1 -1", NULL);
}

/* In a single column only the number of nodes tells a header from a class. */
static void headers_above_one_column(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n"), *features = put(state, "f.csv", "1.5\n2\n3\n");
    crd_dataset *dataset = open_with(edges, features, put(state, "l.csv", "what\nb\na\nb\n"));
    assert_string_equal(labels_of(dataset), "1 0 1");
    assert_true(has_note(dataset, "l.csv: the first row (what) is read as a header"));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, features, put(state, "l.csv", "what\nb\na\n"));
    assert_string_equal(labels_of(dataset), "2 1 0");
    crd_dataset_free(&dataset);
    refuses_with(edges, features, put(state, "l.csv", "b\nb\na\nb\n"), CRD_ERROR_MISMATCH, "l.csv: has 4 nodes");
}

static void check_columns(const char *edges, const char *features, const char *labels, int64_t columns,
                          const char *first_name, bool noted)
{
    crd_dataset *dataset = open_with(edges, features, labels);
    assert_int_equal(crd_dataset_features(dataset), columns);
    const char *name = crd_dataset_node_name(dataset, 0);
    assert_int_equal(name == NULL, first_name == NULL);
    if (name != NULL) assert_string_equal(name, first_name);
    assert_int_equal(has_note(dataset, "the first column is read as node ids"), noted);
    crd_dataset_free(&dataset);
}

static void columns_of_ids(void **state)
{
    const char *edges = put(state, "g.csv", "7,12\n12,3\n");
    const char *labels = put(state, "l.csv", "3,a\n7,b\n"), *numbers = put(state, "n.csv", "0,1\n1,2\n");
    check_columns(edges, put(state, "a.csv", "account,f0,f1\n12,1,2\n7,3,4\n3,5,6\n"), labels, 2, "12", false);
    check_columns(edges, put(state, "b.csv", "paper_id,f0\n12,1\n7,3\n3,5\n"), labels, 1, "12", false);
    check_columns(edges, put(state, "c.csv", "zone,f0\n12,1\n7,3\n3,5\n"), labels, 1, "12", true);
    check_columns(edges, put(state, "d.csv", "12,1,0\n7,3,1\n3,5,2\n4,7,8\n"), labels, 2, "12", true);
    /* As many as there are nodes, but different ones. */
    check_columns(numbers, put(state, "e.csv", "12,1\n7,3\n3,5\n"), NULL, 2, NULL, false);
    check_columns(numbers, put(state, "f.csv", "f0,f1\n0,1\n1,3\n2,5\n"), NULL, 2, NULL, false);
    check_columns(numbers, put(state, "h.csv", "account,f1\n0,1\n1,3\n0,5\n"), NULL, 2, NULL, false);
    check_columns(numbers, put(state, "i.csv", "0\n1\n2\n"), NULL, 1, NULL, false);
    check_columns(numbers, put(state, "j.csv", "0,1\n1,3\n2,5\n"), NULL, 1, NULL, true); /* plain numbers */
    check_columns(numbers, put(state, "k.csv", "2,1\n0,3\n1,5\n"), NULL, 1, "2", true);
    crd_dataset *dataset = open_with(numbers, in(state, "k.csv"), NULL);
    assert_true(feature(dataset, 0, 0) == 1.0f && feature(dataset, 1, 0) == 3.0f);
    assert_string_equal(edges_of(&dataset->input), "1>2 2>0"); /* edges follow the ids, not the rows */
    crd_dataset_free(&dataset);
    /* Edges that are row numbers: only these are ids. */
    const char *mtx = put(state, "g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    check_columns(mtx, in(state, "j.csv"), NULL, 2, NULL, false);
    check_columns(mtx, put(state, "o.csv", "zone,f0\n0,1\n1,3\n2,5\n"), NULL, 1, NULL, true);
    check_columns(mtx, put(state, "p.csv", "zone,f0\n2,1\n0,3\n1,5\n"), NULL, 2, NULL, false);
    refuses_with(edges, in(state, "d.csv"), put(state, "m.csv", "5,a\n"), CRD_ERROR_MISMATCH,
                 "m.csv: line 1: node '5' is not in");
}

static void signs_in_names_are_no_comments(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("source,target\nai,ml\n#ml,ai\n# nothing, here\nml,#ml\n#end\n");
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>0");
    assert_true(has_note(dataset, "test: 2 lines after the first row are passed over as comments"));
    crd_dataset_free(&dataset);
    refuses_text("0,1\r1,2\r2,3\r", CRD_ERROR_FORMAT, "test: line 1: holds a carriage return");
}

static void numbers_of_no_node(void **state)
{
    (void)state;
    refuses_text("0,1\n-1,2\n", CRD_ERROR_FORMAT, "test: line 2: expected a node number or name, found '-1'");
    refuses_text("-1,2\n0,1\n", CRD_ERROR_FORMAT, "test: line 1: expected a node number or name, found '-1'");
    refuses_text("0,1\n\n2,1.5\n", CRD_ERROR_FORMAT, "test: line 3: expected a node number or name, found '1.5'");
    refuses_text("a,b\n0,1\n2,nan\n", CRD_ERROR_FORMAT, "test: line 3: expected a node number or name");
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    refuses_with(edges, NULL, put(state, "l.csv", "0,x\n-1,y\n"), CRD_ERROR_FORMAT,
                 "l.csv: line 2: expected a node number or name, found '-1'");
    refuses_with(edges, NULL, put(state, "l.csv", "-1,x\n0,y\n"), CRD_ERROR_FORMAT,
                 "l.csv: line 1: expected a node number or name, found '-1'");
    check_edges("0.0,1.0\n1.0,2.0\n", "0>1 1>2", 3, NULL); /* as tables with gaps are written */
    check_edges("0,1.0\n1,2.0\n", "0>1 1>2", 3, NULL);
    check_edges("-1,x\nx,1.5\n", "0>1 1>2", 3, NULL);      /* beside a name they are names */
    check_edges("0.5,1.5\n1.5,2.5\n", "0>1 1>2", 3, NULL); /* and so where none is a node's */
    check_edges("007,7\n7,3\n", "0>1 1>2", 3, NULL);
    crd_dataset *dataset = open_with(edges, NULL, put(state, "l.csv", "2.0,x\n0.0,y\n"));
    assert_string_equal(labels_of(dataset), "1 -1 0");
    crd_dataset_free(&dataset);
}

static void ids_from_one(void **state)
{
    const char *edges = put(state, "g.csv", "1,2\n2,4\n"), *note = "ids start at 1";
    const char *ways[][2] = {
        {put(state, "f.csv", "0.5\n1.5\n2.5\n3.5\n"), NULL},
        {NULL, put(state, "one.csv", "a\nb\na\na\n")},
        {NULL, put(state, "ids.csv", "1,a\n2,b\n4,a\n3,a\n")},
        {in(state, "f.csv"), in(state, "ids.csv")},
    };
    for (int i = 0; i < 4; i++) {
        crd_dataset *dataset = open_with(edges, ways[i][0], ways[i][1]);
        assert_int_equal(crd_dataset_nodes(dataset), 4);
        assert_string_equal(edges_of(&dataset->input), "0>1 1>3");
        if (i > 0) assert_string_equal(labels_of(dataset), "0 1 0 0");
        assert_true(has_note(dataset, note));
        assert_string_equal(crd_dataset_node_name(dataset, 0), "1"); /* they keep their names */
        assert_string_equal(crd_dataset_node_name(dataset, 3), "4");
        crd_dataset_free(&dataset);
    }
    /* Node 0 has its own row: ids start at 0. */
    crd_dataset *dataset = open_with(edges, put(state, "f5.csv", "0.5\n1.5\n2.5\n3.5\n4\n"), NULL);
    assert_string_equal(edges_of(&dataset->input), "1>2 2>4");
    assert_false(has_note(dataset, note));
    assert_false(has_note(dataset, "node 0"));
    crd_dataset_free(&dataset);
    /* There is nothing to decide by. */
    const char *some[] = {NULL, put(state, "some.csv", "1,a\n2,b\n4,a\n"),
                          put(state, "twice.csv", "1,a\n2,b\n4,a\n4,a\n")};
    for (int i = 0; i < 3; i++) {
        dataset = open_with(edges, NULL, some[i]);
        assert_int_equal(crd_dataset_nodes(dataset), 5);
        assert_true(has_note(dataset, "no edge and no label has node 0: if ids start at 1"));
        crd_dataset_free(&dataset);
    }
    dataset = open_with(edges, NULL, put(state, "zero.csv", "0,a\n2,b\n4,a\n"));
    assert_false(has_note(dataset, "node 0"));
    crd_dataset_free(&dataset);
    dataset = open_text("2,3\n3,5\n"); /* others are missing, too */
    assert_false(has_note(dataset, "node 0"));
    crd_dataset_free(&dataset);
}

static void check_column(void **state, const char *edges, const char *text, const char *labels)
{
    crd_dataset *dataset = open_with(edges, NULL, put(state, "l.csv", text));
    assert_string_equal(labels_of(dataset), labels);
    crd_dataset_free(&dataset);
}

static void labels_of_several_words(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n"), *names = put(state, "n.csv", "ann,ben\nben,cas\n");
    check_column(state, edges, "Neural Networks\nTheory\nNeural Networks\n", "0 1 0");
    check_column(state, edges, "Neural Networks\nRule Learning\nNeural Networks\n", "0 1 0"); /* no nodes */
    check_column(state, names, "Neural Networks\nRule Learning\nNeural Networks\n", "0 1 0");
    check_column(state, edges, "0 b\n2 a\n", "1 -1 0");
    check_column(state, edges, "node label\n0 b\n2 a\n", "1 -1 0");
    check_column(state, names, "ben b\nann a\n", "1 0 -1"); /* ben ann cas */
    check_column(state, edges, "label\nNeural Networks\nRule Learning\nTheory\n", "0 1 2");
}

static void blank_lines_are_unknown_labels(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n2,3\n");
    const char *features = put(state, "f.csv", "9\n8\n7\n6.5\n");
    check_column(state, edges, "a\n\nb\na\n", "0 -1 1 0");
    check_column(state, edges, "\n\nb\na\n\n\n", "-1 -1 1 0");
    check_column(state, edges, "\n0\n \n1\n", "-1 0 -1 1");
    check_column(state, edges, "label\n0\n\n1\n0\n", "0 -1 1 0");
    check_column(state, edges, "0,a\n\n1,b\n", "0 1 -1 -1"); /* here they say nothing */
    check_column(state, edges, "0\n1\n# a comment\n1\n0\n", "0 1 1 0");
    /* At the end they count if a node would otherwise have no label. */
    crd_dataset *dataset = open_with(edges, features, put(state, "l.csv", "a\nb\n\n\n\n"));
    assert_string_equal(labels_of(dataset), "0 1 -1 -1");
    crd_dataset_free(&dataset);
    refuses_with(edges, features, put(state, "l.csv", "a\nb\n\n"), CRD_ERROR_MISMATCH,
                 "l.csv: has 2 labels and 1 blank line, but ");
    refuses_with(edges, features, in(state, "l.csv"), CRD_ERROR_MISMATCH,
                 "f.csv has 4 nodes (an unknown label is written NA)");
    refuses_with(edges, features, put(state, "l.csv", "a\nb\n"), CRD_ERROR_MISMATCH, "l.csv: has 2 nodes");
}

static void order_without_names(void **state)
{
    static const float x[] = {1, 2, 3};
    array_writer *writer = start_arrays(in(state, "a"), CRD_ARCHIVE_FOLDER);
    add_array(writer, "x", CRD_NPY_F4, 1, 3, 0, x);
    end_npz(writer);
    const char *edges = put(state, "g.csv", "ann,ben\nben,cas\n"), *features = in(state, "a/x.npy");
    crd_dataset *dataset = open_with(edges, features, put(state, "l.csv", "cas,a\nann,b\n"));
    assert_true(feature(dataset, crd_dataset_find_node(dataset, "cas"), 0) == 1.0f);
    char note[1200];
    snprintf(note, sizeof note, "rows of %s follow the order of %s", features, in(state, "l.csv"));
    assert_true(has_note(dataset, note));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, features, put(state, "l.csv", "b\na\nb\n"));
    snprintf(note, sizeof note, "rows of %s follow the order of %s", features, edges);
    assert_true(has_note(dataset, note));
    snprintf(note, sizeof note, "rows of %s follow the order of %s", in(state, "l.csv"), edges);
    assert_true(has_note(dataset, note));
    crd_dataset_free(&dataset);
    const char *more = put(state, "more.csv", "ann,ben\nben,cas\ncas,dan\n");
    refuses_with(more, features, put(state, "l.csv", "cas,a\neve,b\n"), CRD_ERROR_MISMATCH,
                 "x.npy: has 3 rows, but the edges and labels name 5 nodes");
    refuses_with(more, features, NULL, CRD_ERROR_MISMATCH, "x.npy: has 3 rows, but the edges name 4 nodes");
}

static void targets_of_two_signs(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    crd_dataset *dataset = open_with(edges, put(state, "f.svm", "+1 1:1\n-1 2:1\n1 1:2\n"), NULL);
    assert_int_equal(crd_dataset_classes(dataset), 2);
    assert_string_equal(labels_of(dataset), "1 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 0), "-1");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "+1");
    char note[1200];
    snprintf(note, sizeof note, "there is no file of labels: the classes are the first column of %s, -1 and +1",
             in(state, "f.svm"));
    assert_true(has_note(dataset, note));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, in(state, "f.svm"), put(state, "l.csv", "a\nb\na\n")); /* the column is not used */
    for (int i = 0; i < crd_dataset_note_count(dataset); i++)
        assert_null(strstr(crd_dataset_note(dataset, i), "no file of labels"));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, put(state, "f.svm", "1 1:1\n-1 2:1\n0 1:2\n"), NULL); /* here -1 is unknown */
    assert_string_equal(labels_of(dataset), "1 -1 0");
    *strrchr(note, ',') = '\0';
    assert_true(has_note(dataset, note));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, put(state, "f.svm", "-1 1:1\n-1 2:1\n-1 1:2\n"), NULL);
    assert_string_equal(labels_of(dataset), "-1 -1 -1");
    crd_dataset_free(&dataset);
}

static void byte_order_marks(void **state)
{
    crd_dataset *dataset = open_text("\xef\xbb\xbf"
                                     "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    crd_dataset_free(&dataset);
    const char *features = put(state, "f.txt",
                               "\xef\xbb\xbf"
                               "%%MatrixMarket matrix array real general\n2 1\n4\n5\n");
    dataset = open_with(put(state, "g.csv",
                            "\xef\xbb\xbf"
                            "0,1\n"),
                        features, NULL);
    assert_true(feature(dataset, 1, 0) == 5.0f);
    crd_dataset_free(&dataset);
    refuses_text("\xef\xbb\xbf%%MatrixMark", CRD_ERROR_FORMAT, "test: the file is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_above_names),
        FOLDER_TEST(other_files_decide_about_headers),
        FOLDER_TEST(options_decide_about_headers),
        FOLDER_TEST(options_decide_about_first_ids),
        FOLDER_TEST(headers_above_labels),
        FOLDER_TEST(headers_above_one_column),
        FOLDER_TEST(columns_of_ids),
        cmocka_unit_test(signs_in_names_are_no_comments),
        FOLDER_TEST(numbers_of_no_node),
        FOLDER_TEST(ids_from_one),
        FOLDER_TEST(labels_of_several_words),
        FOLDER_TEST(blank_lines_are_unknown_labels),
        FOLDER_TEST(order_without_names),
        FOLDER_TEST(targets_of_two_signs),
        FOLDER_TEST(byte_order_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
