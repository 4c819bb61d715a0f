// The same as doubt.c in C++17: handles that release themselves, errors as exceptions, and a call-back of C++ code.
//
//     c++ -std=c++17 doubt.cpp $(pkg-config --cflags --libs credence) -o doubt_cpp
//     ./doubt_cpp GRAPH        any file or folder that credence reads; without one, a generated graph
//
// With CMake: find_package(Credence REQUIRED) and target_link_libraries(... Credence::credence); see CMakeLists.txt.
#include <credence.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

// A handle that its own function releases when it goes out of scope: handle<crd_model, crd_model_free>.
template <typename T, void (*release)(T **)> struct releaser {
    void operator()(T *held) const
    {
        release(&held);
    }
};
template <typename T, void (*release)(T **)> using handle = std::unique_ptr<T, releaser<T, release>>;
using dataset = handle<crd_dataset, crd_dataset_free>;
using split = handle<crd_split, crd_split_free>;
using config = handle<crd_config, crd_config_free>;
using model = handle<crd_model, crd_model_free>;
using prediction = handle<crd_prediction, crd_prediction_free>;

// check([&](crd_error *error) { return crd_call(..., error); }) throws the library's sentence.
template <typename Call> void check(Call call)
{
    crd_error error{};
    if (call(&error) != CRD_OK) throw std::runtime_error(error.message);
}

// The same for a call that makes a handle.
template <typename Handle, typename Call> Handle make(Call call)
{
    typename Handle::pointer made = nullptr;
    check([&](crd_error *error) { return call(&made, error); });
    return Handle(made);
}

// An exception must not cross the library, which is C: the call-back catches it, asks to stop, and whoever made the
// call throws it again.
struct watcher {
    std::function<void(const crd_progress &)> tell;
    std::exception_ptr thrown;

    static bool call_back(const crd_progress *progress, void *user) noexcept
    {
        auto *self = static_cast<watcher *>(user);
        try {
            self->tell(*progress);
            return true;
        } catch (...) {
            self->thrown = std::current_exception();
            return false;
        }
    }
};

model train(const crd_dataset *graph, const crd_split *parts, const crd_config *options,
            std::function<void(const crd_progress &)> tell)
{
    watcher watching{std::move(tell), nullptr};
    crd_control control{};
    control.size = sizeof control;
    control.progress = watcher::call_back;
    control.user = &watching;
    crd_train_options how{};
    how.size = sizeof how;
    how.control = &control;
    auto trained =
        make<model>([&](auto made, auto error) { return crd_train(graph, parts, options, &how, made, error); });
    if (watching.thrown) std::rethrow_exception(watching.thrown);
    return trained;
}

int main(int argc, char **argv)
try {
    crd_generate_options synthetic;
    crd_generate_defaults(&synthetic);
    synthetic.nodes = 300;
    const auto graph = make<dataset>([&](auto made, auto error) {
        return argc > 1 ? crd_dataset_open(argv[1], nullptr, made, error) : crd_generate(&synthetic, made, error);
    });
    const auto parts =
        make<split>([&](auto made, auto error) { return crd_split_make(graph.get(), nullptr, 0, 1, made, error); });
    const auto options = make<config>(crd_config_new);
    check([&](auto error) { return crd_config_set(options.get(), "max-epochs", "50", error); });

    try {
        train(graph.get(), parts.get(), options.get(), [](const crd_progress &progress) {
            if (progress.epoch != nullptr && progress.epoch->epoch == 3) throw std::runtime_error("not today");
        });
    } catch (const std::exception &error) {
        std::cout << "a training ended in its third epoch: " << error.what() << '\n';
    }

    int epochs = 0;
    const auto trained = train(graph.get(), parts.get(), options.get(),
                               [&](const crd_progress &progress) { epochs += progress.epoch != nullptr; });
    const auto answers = make<prediction>(
        [&](auto made, auto error) { return crd_predict(trained.get(), graph.get(), nullptr, made, error); });
    std::cout << "another one had " << epochs << " epochs\n";

    const double *doubt = crd_prediction_score(answers.get(), CRD_SCORE_EPISTEMIC);
    std::vector<std::int64_t> nodes(crd_prediction_nodes(answers.get()));
    std::iota(nodes.begin(), nodes.end(), 0);
    std::sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return doubt[a] > doubt[b]; });
    if (nodes.size() > 5) nodes.resize(5);
    for (const auto node : nodes)
        std::cout << "node " << node << ": class "
                  << crd_model_class_name(trained.get(), crd_prediction_class(answers.get())[node]) << ", doubt "
                  << doubt[node] << '\n';
    return 0;
} catch (const std::exception &error) {
    std::cerr << "doubt_cpp: " << error.what() << '\n';
    return 1;
}
