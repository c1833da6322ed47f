// The compiler's names of further functions that touch memory, for what comes after the library's headers: some of these use them where
// only a constant expression may stand.
#pragma once
#ifdef EMULATED_CHECKED
#define __builtin_memcmp memcmp
#define __builtin_memchr memchr
#define __builtin_mempcpy mempcpy
#define __builtin_bcopy bcopy
#define __builtin_bzero bzero
#define __builtin_bcmp bcmp
#define __builtin_strlen strlen
#define __builtin_strcpy strcpy
#define __builtin_strncpy strncpy
#define __builtin_stpcpy stpcpy
#define __builtin_stpncpy stpncpy
#define __builtin_strcat strcat
#define __builtin_strncat strncat
#define __builtin_strcmp strcmp
#define __builtin_strncmp strncmp
#define __builtin_strchr strchr
#define __builtin_strrchr strrchr
#define __builtin_strstr strstr
#define __builtin_strpbrk strpbrk
#define __builtin_strspn strspn
#define __builtin_strcspn strcspn
#endif
