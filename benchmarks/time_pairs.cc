// Times two commands against each other, alternately, so that whatever else the machine does hits both:
//
//   time_pairs 15 'autotune-scan f.log' 'rg -c AUTOTUNE f.log | cat'
//   0.0812 0.0921 0.88 9.1            medians in seconds, median of the ratios, peak memory of the first in MiB
//
// A command without shell characters is started directly, for what takes milliseconds; others by sh. Output is thrown
// away. Exit statuses above 2 stop the measurement: something did not run.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace {

struct Run {
  double seconds;
  double peak_mib;
};

Run Time(const std::string& command) {
  std::vector<std::string> words;
  if (command.find_first_of("|<>&;$*'\"") == std::string::npos) {
    std::istringstream split(command);
    for (std::string word; split >> word;) words.push_back(word);
  } else {
    words = {"sh", "-c", command};
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage = {};
  if (error == 0) wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (error != 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 2) {
    std::fprintf(stderr, "time_pairs: did not run: %s\n", command.c_str());
    std::exit(2);
  }
  return {passed.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: time_pairs TIMES COMMAND OTHER_COMMAND\n");
    return 2;
  }
  const std::string ours = argv[2], theirs = argv[3];
  Time(ours), Time(theirs);  // warm
  std::vector<double> our_seconds, their_seconds, ratios;
  double peak = 0;
  for (int i = 0; i < std::atoi(argv[1]); ++i) {
    Run our = {}, their = {};
    if (i % 2 == 0) {
      our = Time(ours);
      their = Time(theirs);
    } else {
      their = Time(theirs);
      our = Time(ours);
    }
    our_seconds.push_back(our.seconds);
    their_seconds.push_back(their.seconds);
    ratios.push_back(our.seconds / their.seconds);
    peak = std::max(peak, our.peak_mib);
  }
  std::printf("%.4f %.4f %.2f %.1f\n", Median(our_seconds), Median(their_seconds), Median(ratios), peak);
}
