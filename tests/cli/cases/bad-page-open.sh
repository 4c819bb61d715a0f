# exit: 1
# stderr: credence: in.template: line 2: '{{' without '}}' on the same line
printf 'One.\nTwo {{table in.a\n}}\n' > in.template
credence page in.template -o page.md
