/* What a program of a release 7.x sees of its structures and numbers. */
#include <papi.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    PAPI_event_info_t info;
    const PAPI_component_info_t *component;
    int code = PAPI_PRESET_MASK, presets = 0, wrong = 0, qualifiers = 0;
    char first[PAPI_MAX_STR_LEN] = "";

    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
        return 1;
    printf("%d.%d\n", PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION));
    printf("%zu %zu\n", sizeof(PAPI_component_info_t), sizeof(PAPI_event_info_t));
    component = PAPI_get_component_info(0);
    /* Members behind the ones that were added. */
    printf("%s %s %d\n", component->name, component->short_name,
           component->CmpIdx == 0 && component->attach && !component->disabled ? -1 : 1);
    if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK)
        return 1;
    PAPI_event_code_to_name(code, first);
    do
        presets++;
    while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
    printf("%d presets, %s first\n", presets, first);
    memset(&info, 0x55, sizeof info);
    if (PAPI_get_event_info(PAPI_TOT_CYC, &info) != PAPI_OK)
        return 1;
#if PAPI_HEADER_MINOR >= 2
    qualifiers = info.num_quals;
#endif
    printf("%s: %d qualifiers\n", info.symbol, qualifiers);
    code = PAPI_PRESET_MASK;
    while (PAPI_enum_event(&code, PAPI_PRESET_ENUM_CACH) == PAPI_OK)
        if (PAPI_get_event_info(code, &info) != PAPI_OK || !(info.event_type & PAPI_PRESET_BIT_CACH))
            wrong++;
    printf("cache presets are %s\n", wrong ? "wrong" : "of the cache");
    return 0;
}
