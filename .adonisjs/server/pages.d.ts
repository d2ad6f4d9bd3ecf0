import '@adonisjs/inertia/types'

import type { VNodeProps, AllowedComponentProps, ComponentInstance } from 'vue'

type ExtractProps<T> = Omit<
  ComponentInstance<T>['$props'],
  keyof VNodeProps | keyof AllowedComponentProps
>

declare module '@adonisjs/inertia/types' {
  export interface InertiaPages {
    'overview/show': ExtractProps<(typeof import('../../resources/pages/overview/show.vue'))['default']>
    'refusals/missing_ability': ExtractProps<(typeof import('../../resources/pages/refusals/missing_ability.vue'))['default']>
    'sessions/new': ExtractProps<(typeof import('../../resources/pages/sessions/new.vue'))['default']>
  }
}
