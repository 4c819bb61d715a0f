/* SPDX-License-Identifier: MIT */
/* Tables with more columns than a node and a label, and with more than numbers; lists of features in JSON; SciPy's
 * matrices. */
#include "unit/dataset_helpers.h"

#include <math.h>

static crd_dataset *open_options(const char *path, crd_open_options options)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    options.size = sizeof options;
    if (crd_dataset_open(path, &options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

/* The message must contain `part` and be about the option, NULL: about none. */
static void refuses(const char *path, crd_open_options options, const char *about, const char *part)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    options.size = sizeof options;
    if (crd_dataset_open(path, &options, &dataset, &error) == CRD_OK) fail_msg("opened, expected '%s'", part);
    assert_null(dataset);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
    assert_string_equal(error.about, about != NULL ? about : "");
}

static const char *names_of(const crd_dataset *dataset)
{
    static char text[512];
    text[0] = '\0';
    for (int64_t j = 0; j < crd_dataset_features(dataset); j++) {
        const char *name = crd_dataset_feature_name(dataset, j);
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", j > 0 ? "|" : "", name != NULL ? name : "-");
    }
    return text;
}

static const char *row_of(const crd_dataset *dataset, int64_t node)
{
    static char text[512];
    text[0] = '\0';
    for (int64_t j = 0; j < crd_dataset_features(dataset); j++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%g", j > 0 ? " " : "", (double)feature(dataset, node, j));
    }
    return text;
}

/* ---- labels ---- */

static const char target[] = "id,days,mature,views,new_id\n7001,10,False,5,2\n7002,20,True,6,0\n7003,30,True,7,1\n";

static void labels_of_many_columns(void **state)
{
    const char *edges = put(state, "g.csv", "from,to\n0,1\n1,2\n"), *labels = put(state, "t.csv", target);
    crd_dataset *dataset =
        open_options(edges, (crd_open_options){.labels = labels, .label_column = "mature", .id_column = "new_id"});
    assert_string_equal(labels_of(dataset), "1 1 0");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "True");
    crd_dataset_free(&dataset);
    /* By number, and the order of the nodes. */
    dataset = open_options(edges, (crd_open_options){.labels = labels, .label_column = "3", .id_column = "5"});
    assert_string_equal(labels_of(dataset), "1 1 0");
    crd_dataset_free(&dataset);
    dataset = open_options(edges, (crd_open_options){.labels = labels, .label_column = "mature", .id_column = "none"});
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
    /* A table without a header has only numbers. */
    const char *bare = put(state, "b.csv", "2\tx\tred\n0\ty\tblue\n1\tx\tred\n");
    dataset = open_options(edges, (crd_open_options){.labels = bare, .label_column = "3", .id_column = "1"});
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
    /* Two columns in the other order. */
    const char *two = put(state, "two.csv", "class,node\nred,2\nblue,0\nred,1\n");
    dataset = open_options(edges, (crd_open_options){.labels = two, .label_column = "class"});
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
    dataset = open_options(edges, (crd_open_options){.labels = two, .id_column = "node"});
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
    /* One column that is called as nodes are. */
    const char *clear = put(state, "c.csv", "age,node,class\n1,2,red\n2,0,\n3,1,blue\n");
    dataset = open_options(edges, (crd_open_options){.labels = clear, .label_column = "class"});
    assert_string_equal(labels_of(dataset), "-1 0 1");
    crd_dataset_free(&dataset);
    /* An index that pandas left over, and rows that span lines. */
    const char *index = put(state, "i.csv", ",node,about,class\n0,2,\"a\nb\",red\n1,0,c,blue\n2,1,d,red\n");
    dataset = open_options(edges, (crd_open_options){.labels = index, .label_column = "class"});
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
}

static void unclear_labels_are_asked_for(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n"), *labels = put(state, "t.csv", target);
    refuses(edges, (crd_open_options){.labels = labels}, "label-column",
            "t.csv: line 1 has 5 columns (id, days, mature, views, new_id), expected a label, or a node and its label");
    refuses(edges, (crd_open_options){.labels = labels, .id_column = "new_id"}, "label-column", "is needed");
    refuses(edges, (crd_open_options){.labels = labels, .label_column = "mature"}, "id-column",
            "expected the one that has the nodes, or none if rows follow the order of the nodes");
    refuses(edges, (crd_open_options){.labels = labels, .label_column = "matur", .id_column = "id"}, "label-column",
            "is 'matur', but the columns of");
    refuses(edges, (crd_open_options){.labels = labels, .label_column = "mature", .id_column = "nodes"}, "id-column",
            "t.csv are id, days, mature, views, new_id");
    refuses(edges, (crd_open_options){.labels = labels, .label_column = "6", .id_column = "1"}, "label-column",
            "is '6', but the columns of");
    refuses(edges, (crd_open_options){.labels = put(state, "d.csv", "node,x,x\n0,1,2\n"), .label_column = "x"},
            "label-column", "has two columns of this name");
    refuses(edges, (crd_open_options){.label_column = "x"}, "label-column", "there is no table of labels");
    refuses(edges, (crd_open_options){.id_column = "x"}, "id-column", "no table has such a column");
    refuses(edges, (crd_open_options){.ignore_columns = "x"}, "ignore-columns", "there is no table of features");
    refuses(edges, (crd_open_options){.labels = put(state, "r.csv", "node,x,y\n0,1,2\n1,3\n"), .label_column = "y"},
            NULL, "r.csv: line 3: expected 3 columns as in the first row, found 2");
    refuses(edges, (crd_open_options){.labels = put(state, "e.csv", "node,x,y\n0,1,2\n,3,1\n"), .label_column = "y"},
            NULL, "e.csv: line 3: expected a node, found an empty field");
}

/* ---- features ---- */

static const char people[] = "node,age,vip,since,colour\n"
                             "c,30,True,1970-01-02,red\n"
                             "a,,False,1970-01-11 12:00,blue\n"
                             "b,50,?,1970-01-01,red\n"
                             "d,40,true,NA,\n";

static void tables_are_encoded(void **state)
{
    const char *edges = put(state, "g.csv", "c,a\na,b\nb,d\n"), *table = put(state, "p.csv", people);
    crd_dataset *dataset = open_options(edges, (crd_open_options){.features = table});
    assert_string_equal(names_of(dataset),
                        "age|age is missing|vip|vip is missing|since|since is missing|colour=blue|colour=red");
    assert_string_equal(row_of(dataset, 0), "30 0 1 0 1 0 0 1");
    assert_string_equal(row_of(dataset, 1), "40 1 0 0 10.5 0 1 0");
    assert_string_equal(row_of(dataset, 2), "50 0 0.666667 1 0 0 0 1");
    assert_string_equal(row_of(dataset, 3), "40 0 1 0 3.83333 1 0 0");
    assert_true(
        has_note(dataset, "1 column has categories: every value is a feature of its own, such as 'colour=red'"));
    assert_true(has_note(dataset, "1 column has true and false: they are 1 and 0"));
    assert_true(has_note(dataset, "1 column has dates: they are days since 1970-01-01"));
    assert_true(has_note(dataset, "3 columns have missing values: the mean stands there, and a feature such as 'age is "
                                  "missing' is 1"));
    crd_dataset_free(&dataset);
    dataset = open_options(
        edges, (crd_open_options){.features = table, .category_columns = "age,since", .ignore_columns = "vip,colour"});
    assert_string_equal(names_of(dataset), "age=30|age=40|age=50|since=1970-01-01|since=1970-01-02|since=1970-01-11 "
                                           "12:00");
    assert_string_equal(row_of(dataset, 1), "0 0 0 0 0 1");
    crd_dataset_free(&dataset);
}

/* Numbers alone stay as they are, without a note. */
static void plain_tables_are_not_encoded(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    crd_dataset *dataset =
        open_options(edges, (crd_open_options){.features = put(state, "p.csv", "u,v\n1,2\n3,4\n5,6\n")});
    assert_string_equal(names_of(dataset), "u|v");
    assert_false(has_note(dataset, "p.csv"));
    crd_dataset_free(&dataset);
}

static void columns_by_options(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n"), *table = put(state, "t.csv", target);
    crd_dataset *dataset = open_options(edges, (crd_open_options){.features = table,
                                                                  .labels = table,
                                                                  .label_column = "mature",
                                                                  .id_column = "new_id",
                                                                  .ignore_columns = "id"});
    assert_string_equal(names_of(dataset), "days|views");
    assert_string_equal(row_of(dataset, 0), "10 5"); /* the table's first row, which is called 2 */
    assert_string_equal(crd_dataset_node_name(dataset, 0), "2");
    assert_string_equal(labels_of(dataset), "0 1 1");
    assert_true(has_note(dataset, "t.csv: column 3 ('mature') has the labels: it is no feature"));
    crd_dataset_free(&dataset);
    /* Without a header: ids, words and a class, as in cora.content. */
    const char *content = put(state, "c.txt", "0\t1\t0\tred\n2\t0\t1\tblue\n1\t1\t1\tred\n");
    dataset = open_options(
        edges, (crd_open_options){.features = content, .labels = content, .label_column = "4", .id_column = "1"});
    assert_string_equal(row_of(dataset, 1), "0 1");
    assert_string_equal(labels_of(dataset), "1 0 1");
    crd_dataset_free(&dataset);
    /* Ids that only the other rows and files show to be ids, in front of categories. */
    const char *accounts = put(state, "a.csv", "account,colour\n2,red\n0,blue\n1,red\n");
    dataset = open_options(edges, (crd_open_options){.features = accounts});
    assert_string_equal(names_of(dataset), "colour=blue|colour=red");
    assert_string_equal(row_of(dataset, 1), "1 0");
    assert_string_equal(crd_dataset_node_name(dataset, 0), "2");
    crd_dataset_free(&dataset);
    /* Rows in the order of the nodes; the first column is a category. */
    const char *colours = put(state, "k.csv", "colour,size\nred,1\nblue,2\nred,3\n");
    dataset = open_options(edges, (crd_open_options){.features = colours, .id_column = "none"});
    assert_string_equal(names_of(dataset), "colour=blue|colour=red|size");
    assert_string_equal(row_of(dataset, 2), "0 1 3");
    assert_true(has_note(dataset, "the first row (colour, size) is read as a header"));
    crd_dataset_free(&dataset);
    const char *indexed = put(state, "x.csv", ",colour,size\n0,red,1\n1,blue,2\n2,red,3\n");
    dataset = open_options(edges, (crd_open_options){.features = indexed, .id_column = "none"});
    assert_string_equal(names_of(dataset), "colour=blue|colour=red|size");
    crd_dataset_free(&dataset);
}

static void unclear_tables_are_refused(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    static const struct {
        const char *table, *about, *part;
        crd_open_options options;
    } cases[] = {
        {"a,b\n1,2\nx,3\n2,2\n", NULL, "line 3, column 1: expected a number as in line 2, found 'x'", {0}},
        {"a,b\n1,x\n2,3\n2,2\n",
         NULL,
         "line 3, column 2: expected a text, neither a number nor a date, as in line 2",
         {0}},
        {"a,b\n1,2020-01-01\n2,soon\n2,2\n", NULL, "line 3, column 2: expected a date as in line 2, found 'soon'", {0}},
        {"a,b\n1,2\n3,1e39\n", NULL, "expected a finite number within the range of a float, found '1e39'", {0}},
        {"a,b\nx,2\nx,3\ny,2\n", "id-column", "the first column ('a') has 'x' twice", {0}},
        {"a,b\n1,2\n", "ignore-columns", "is 'c', but the columns of", {.ignore_columns = "c"}},
        {"a,b\n1,2\n", "category-columns", "is '3', but the columns of", {.category_columns = "a,3"}},
        {"a,b\n1,2\n", NULL, "line 2: no column is left for features", {.ignore_columns = "a,b"}},
        {"node\na\nb\nc\n", NULL, "line 2: no column is left for features", {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        crd_open_options options = cases[i].options;
        options.features = put(state, "f.csv", cases[i].table);
        refuses(edges, options, cases[i].about, cases[i].part);
    }
}

/* A column of free text has too many values to be categories. */
static void too_many_categories(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    char *text = malloc(40000);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "size,about\n");
    for (int i = 0; i < 1001; i++) length += (size_t)sprintf(text + length, "%d,text %d\n", i, i);
    const char *table = put(state, "f.csv", text);
    free(text);
    refuses(edges, (crd_open_options){.features = table}, NULL,
            "line 1002, column 2: expected at most 1000 different texts, found 'text 1000' (ignore-columns can leave");
}

/* ---- JSON ---- */

static void lists_of_features(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    crd_dataset *dataset = open_options(
        edges, (crd_open_options){.features = put(state, "f.json", " {\"2\": [3, 0, 3],\n\"0\": [], \"1\":[1]}\n")});
    assert_string_equal(row_of(dataset, 0), "0 0 0 0");
    assert_string_equal(row_of(dataset, 1), "0 1 0 0");
    assert_string_equal(row_of(dataset, 2), "1 0 0 1");
    assert_null(crd_dataset_node_name(dataset, 0));
    crd_dataset_free(&dataset);
    const char *named = put(state, "n.csv", "ann,b\\c\nann,\xc3\xa9\xf0\x9f\x98\x80\n");
    const char *json = "\xef\xbb\xbf{\"\\u00e9\\ud83d\\ude00\":[1],\"ann\":[0],\"b\\\\c\":[2]}";
    dataset = open_options(named, (crd_open_options){.features = put(state, "f.json", json)});
    assert_string_equal(crd_dataset_node_name(dataset, 0), "\xc3\xa9\xf0\x9f\x98\x80");
    assert_string_equal(crd_dataset_node_name(dataset, 2), "b\\c");
    assert_string_equal(row_of(dataset, 2), "0 0 1");
    crd_dataset_free(&dataset);
}

static void bad_lists(void **state)
{
    static const struct {
        const char *json, *part;
    } cases[] = {
        {"{}", "f.json: there are no nodes, expected a list for each"},
        {"{\"0\": [1]", "line 1: expected ',' or '}' after a list, but the file ends"},
        {"{\"0\": [1,\n 2x]}", "line 2: expected the number of a feature, from 0, found '2x]}'"},
        {"{\"0\": [-1]}", "expected the number of a feature, from 0, found '-1]}'"},
        {"{\"0\": [1.5]}", "expected the number of a feature, from 0, found '1.5]}'"},
        {"{\"0\": [99999999999999999999]}", "expected the number of a feature, from 0"},
        {"{\"0\": [\"a\"]}", "expected the number of a feature, from 0, found '\"a\"]}'"},
        {"{\"0\": [1 2]}", "expected the number of a feature, from 0, found '1'"},
        {"{\"0\": 5}", "expected the list of a node's features, such as [5, 12], found '5}'"},
        {"{\"0\": {\"1\": 2}}", "expected the list of a node's features"},
        {"{0: [1]}", "expected the name of a node in quotes, found '0:'"},
        {"{\"a\\x\": [1]}", "expected the name of a node in quotes, found '\"a\\x\":'"},
        {"{\"a\\ud800\": [1]}", "expected the name of a node in quotes"},
        {"{\"\\u0000\": [1]}", "expected the name of a node in quotes"},
        {"{\"a\n\": [1]}", "expected the name of a node in quotes"},
        {"{\"0\" [1]}", "expected ':' after the name of a node, found '[1]}'"},
        {"{\"0\": [1], \"0\": [2]}", "node '0' has two lists"},
        {"{\"0\": [1]} 5", "expected the end of the file, found '5'"},
        {"{\"0\": [2000000000], \"1\": [], \"2\": []}", "out of all proportion"},
        {"{\"0\": [1], \"1\": []}", "node 2 does not exist"},
        {"[[1], [2], []]", "this is a JSON file"},
    };
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses(edges, (crd_open_options){.features = put(state, "f.json", cases[i].json)}, NULL, cases[i].part);
    refuses(put(state, "g.json", "{\"0\": [1]}"), (crd_open_options){0}, NULL,
            "this is a JSON file; a list of features");
}

/* ---- SciPy ---- */

static const int32_t indptr[] = {0, 2, 2, 3}, indices[] = {2, 1, 0}, coo_row[] = {0, 2, 0}, coo_col[] = {2, 0, 1};
static const int32_t transposed[] = {2, 0, 0}, starts_of_columns[] = {0, 1, 2, 3}, square[] = {3, 3};
static const float values[] = {1, 2, 3}, coo_values[] = {1, 3, 2}, csc_values[] = {3, 2, 1};

/* Rows 0: column 1 is 2, column 2 is 1; row 2: column 0 is 3. */
static const char *put_scipy(void **state, const char *name, const char *format, const int32_t *shape)
{
    const char *path = in(state, name);
    array_writer *writer = start_npz(path);
    add_strings(writer, "format", 1, &format);
    add_array(writer, "shape", CRD_NPY_I4, 1, 2, 0, shape);
    if (strcmp(format, "coo") == 0) {
        add_array(writer, "row", CRD_NPY_I4, 1, 3, 0, coo_row);
        add_array(writer, "col", CRD_NPY_I4, 1, 3, 0, coo_col);
        add_array(writer, "data", CRD_NPY_F4, 1, 3, 0, coo_values);
    } else {
        const bool csc = strcmp(format, "csc") == 0;
        add_array(writer, "indptr", CRD_NPY_I4, 1, 4, 0, csc ? starts_of_columns : indptr);
        add_array(writer, "indices", CRD_NPY_I4, 1, 3, 0, csc ? transposed : indices);
        add_array(writer, "data", CRD_NPY_F4, 1, 3, 0, csc ? csc_values : values);
    }
    end_npz(writer);
    return path;
}

static void matrices_of_scipy(void **state)
{
    static const char *const formats[] = {"csr", "csc", "coo"};
    for (int f = 0; f < 3; f++) {
        const char *path = put_scipy(state, "m.npz", formats[f], square);
        crd_dataset *dataset = open_options(path, (crd_open_options){.features = path});
        assert_string_equal(edges_of(&dataset->input), "0>1 0>2 2>0");
        assert_string_equal(row_of(dataset, 0), "0 2 1");
        assert_string_equal(row_of(dataset, 1), "0 0 0");
        assert_string_equal(row_of(dataset, 2), "3 0 0");
        assert_false(has_note(dataset, "arrays that are not used"));
        crd_dataset_free(&dataset);
    }
}

static void bad_matrices_of_scipy(void **state)
{
    static const int32_t many[] = {2000000000, 3}, few[] = {2, 3}, wide[] = {3, 4}, narrow[] = {3, 2},
                         negative[] = {-3, 3};
    static const struct {
        const char *format;
        const int32_t *shape;
        const char *part;
        bool features;
    } cases[] = {
        {"bsr", square, "is a sparse matrix of SciPy's format bsr, expected csr, csc or coo", false},
        {"csr", wide, "the adjacency is 3 x 4, expected a square matrix", false},
        {"coo", wide, "the adjacency is 3 x 4, expected a square matrix", false},
        {"csc", wide, "m.npz:shape: has 4 columns, but 'indptr' has 4 items", false},
        {"coo", few, "m.npz:row: item 1 is 2, expected 0 to 1", false},
        {"coo", narrow, "m.npz:col: item 0 is 2, expected 0 to 1", false},
        {"csc", few, "m.npz:indices: item 0 is 2, expected 0 to 1", false},
        {"coo", negative, "m.npz:shape: expected the numbers of rows and columns", false},
        {"coo", many, "m.npz:shape: has 2000000000 rows, which is out of all proportion to 3 entries", false},
        {"coo", many, "out of all proportion to 3 entries", true},
        {"csr", few, "expected [3, columns], because 'indptr' has 4 items", true},
    };
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = put_scipy(state, "m.npz", cases[i].format, cases[i].shape);
        const crd_open_options options = {.features = cases[i].features ? path : NULL};
        refuses(cases[i].features ? edges : path, options, NULL, cases[i].part);
    }
}

/* Features of an archive in other layouts, without its graph; and those of a folder. */
static void archives_beside_graphs(void **state)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    static const char *const names[] = {"u", "v"};
    const char *edges = put(state, "edges.csv", "0,1\n1,2\n"), *path = in(state, "features.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "x", CRD_NPY_F4, 2, 3, 2, x);
    add_strings(writer, "feature_names", 2, names);
    end_npz(writer);
    crd_dataset *dataset = open_options(edges, (crd_open_options){.features = path});
    assert_string_equal(names_of(dataset), "u|v");
    assert_string_equal(row_of(dataset, 2), "5 6");
    crd_dataset_free(&dataset);
    dataset = open_with(in(state, ""), NULL, NULL);
    assert_string_equal(row_of(dataset, 2), "5 6");
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(labels_of_many_columns),
        FOLDER_TEST(unclear_labels_are_asked_for),
        FOLDER_TEST(tables_are_encoded),
        FOLDER_TEST(plain_tables_are_not_encoded),
        FOLDER_TEST(columns_by_options),
        FOLDER_TEST(unclear_tables_are_refused),
        FOLDER_TEST(too_many_categories),
        FOLDER_TEST(lists_of_features),
        FOLDER_TEST(bad_lists),
        FOLDER_TEST(matrices_of_scipy),
        FOLDER_TEST(bad_matrices_of_scipy),
        FOLDER_TEST(archives_beside_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
