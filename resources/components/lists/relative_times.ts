import type { InjectionKey, Ref } from 'vue'

/** Whether times below are written as long ago as they are. */
export const RELATIVE_TIMES: InjectionKey<Readonly<Ref<boolean>>> = Symbol('relative times')
