/* What every test process is given before it starts: see TestProcess.c. */

/* Runs `body` in a copy of this process, which has the calling thread alone; its wait status, 0 when it survived. For code
   that stops the process, in an exit test: a copy costs a hundredth of a process. */
int testProcessFork(void (*body)(void *), void *argument);
