/* Records what is durable: preloaded into a process, it copies each file that the process flushes, and lists each folder.
 *
 * RECORD_TREE is the folder that is watched, RECORD_TO the folder for copies and the log. At each fsync below the tree the
 * log gets an event: `file <inode>-<mtime> <path>` or `folder <path>`, then a line `entry <inode>-<mtime> <path>` for each
 * file that is in the tree (of a folder: in that folder), and `end`.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void key_of(const struct stat *file, char *key, size_t size) {
    snprintf(key, size, "%lu-%ld%09ld", (unsigned long)file->st_ino, (long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec);
}

static void list(FILE *log, const char *word, const char *folder, int deep) {
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder && (entry = readdir(open_folder))) {
        char path[PATH_MAX], key[64];
        struct stat file;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &file)) continue;
        key_of(&file, key, sizeof key);
        if (!S_ISDIR(file.st_mode)) fprintf(log, "%s %s %s\n", word, key, path);
        else if (deep) list(log, word, path, 1);
        else fprintf(log, "%s folder %s\n", word, path);
    }
    if (open_folder) closedir(open_folder);
}

static void record(int descriptor) {
    const char *tree = getenv("RECORD_TREE"), *to = getenv("RECORD_TO");
    char link[64], path[PATH_MAX], copy[PATH_MAX], key[64];
    struct stat file;
    if (!tree || !to) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(descriptor, &file)) return;
    path[length] = 0;
    if (strncmp(path, tree, strlen(tree))) return;
    pthread_mutex_lock(&one_at_a_time);
    snprintf(copy, sizeof copy, "%s/log", to);
    FILE *log = fopen(copy, "a");
    if (S_ISDIR(file.st_mode)) {
        fprintf(log, "folder %s\n", path);
        list(log, "in", path, 0);
    } else {
        key_of(&file, key, sizeof key);
        fprintf(log, "file %s %s\n", key, path);
        snprintf(copy, sizeof copy, "%s/%s", to, key);
        int from = open(link, O_RDONLY), into = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        char bytes[65536];
        ssize_t got;
        while ((got = read(from, bytes, sizeof bytes)) > 0)
            if (write(into, bytes, (size_t)got) != got) abort();
        close(from);
        close(into);
    }
    list(log, "entry", tree, 1);
    fprintf(log, "end\n");
    fclose(log);
    pthread_mutex_unlock(&one_at_a_time);
}

int fsync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int done = real(descriptor);
    if (!done) record(descriptor);
    return done;
}

int fdatasync(int descriptor) { return fsync(descriptor); }
