#include "TestProcess.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Before any test: contexts of this process, and of those that exit tests start, are checked. The value 0 in the
   environment turns it off. Processes that exit tests start end on purpose: nobody waits for their backtraces. */
__attribute__((constructor)) static void prepare(void) {
    setenv("com.apple.CoreData.ConcurrencyDebug", "1", 0);
    setenv("SWIFT_BACKTRACE", "enable=no", 0);
}

int testProcessFork(void (*body)(void *), void *argument) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        body(argument);
        _exit(0);
    }
    if (child > 0) waitpid(child, &status, 0);
    return status;
}
