/* A disk that fails when it is told to: loaded before the C library (LD_PRELOAD) of a server in tests.
 *
 * While the file that FAILING_DISK names holds a number, every write to a file of the database ends with that
 * errno, as the kernel would end it: 28 (no space), 5 (input or output error); with 30 (read-only) such files
 * cannot be opened for writing either, and say so. SQLite itself is the system's, and sees nothing but what a disk does.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int told(void)
{
    const char *name = getenv("FAILING_DISK");
    char text[16] = "";
    if (name == NULL)
        return 0;
    int control = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
    if (control < 0)
        return 0;
    ssize_t length = syscall(SYS_read, control, text, sizeof text - 1);
    syscall(SYS_close, control);
    return length > 0 ? atoi(text) : 0;
}

static int fails(int file)
{
    char link[64], path[4096];
    int error = told();
    if (error == 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = '\0';
    if (strstr(path, ".sqlite3") == NULL)
        return 0;
    errno = error;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place)
{
    return fails(file) ? -1 : syscall(SYS_pwrite64, file, bytes, count, place);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place)
{
    return pwrite64(file, bytes, count, place);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return fails(file) ? -1 : syscall(SYS_write, file, bytes, count);
}

int access(const char *path, int mode)
{
    if (told() == EROFS && (mode & W_OK) && strstr(path, ".sqlite3") != NULL) {
        errno = EROFS;
        return -1;
    }
    return syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (told() == EROFS && (flags & O_ACCMODE) != O_RDONLY && strstr(path, ".sqlite3") != NULL) {
        errno = EROFS;
        return -1;
    }
    return syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open64(path, flags, mode);
}
