import '@adonisjs/inertia/types'

import type { VNodeProps, AllowedComponentProps, ComponentInstance } from 'vue'

type ExtractProps<T> = Omit<
  ComponentInstance<T>['$props'],
  keyof VNodeProps | keyof AllowedComponentProps
>

declare module '@adonisjs/inertia/types' {
  export interface InertiaPages {
    'account/password': ExtractProps<(typeof import('../../resources/pages/account/password.vue'))['default']>
    'account/recovery_codes': ExtractProps<(typeof import('../../resources/pages/account/recovery_codes.vue'))['default']>
    'account/second_factor': ExtractProps<(typeof import('../../resources/pages/account/second_factor.vue'))['default']>
    'account/show': ExtractProps<(typeof import('../../resources/pages/account/show.vue'))['default']>
    'cases/index': ExtractProps<(typeof import('../../resources/pages/cases/index.vue'))['default']>
    'cases/returns': ExtractProps<(typeof import('../../resources/pages/cases/returns.vue'))['default']>
    'cases/show': ExtractProps<(typeof import('../../resources/pages/cases/show.vue'))['default']>
    'events/edit': ExtractProps<(typeof import('../../resources/pages/events/edit.vue'))['default']>
    'events/index': ExtractProps<(typeof import('../../resources/pages/events/index.vue'))['default']>
    'events/new': ExtractProps<(typeof import('../../resources/pages/events/new.vue'))['default']>
    'events/show': ExtractProps<(typeof import('../../resources/pages/events/show.vue'))['default']>
    'gate/devices': ExtractProps<(typeof import('../../resources/pages/gate/devices.vue'))['default']>
    'gate/show': ExtractProps<(typeof import('../../resources/pages/gate/show.vue'))['default']>
    'grants/index': ExtractProps<(typeof import('../../resources/pages/grants/index.vue'))['default']>
    'halls/index': ExtractProps<(typeof import('../../resources/pages/halls/index.vue'))['default']>
    'halls/new': ExtractProps<(typeof import('../../resources/pages/halls/new.vue'))['default']>
    'invariants/index': ExtractProps<(typeof import('../../resources/pages/invariants/index.vue'))['default']>
    'jobs/index': ExtractProps<(typeof import('../../resources/pages/jobs/index.vue'))['default']>
    'journal/index': ExtractProps<(typeof import('../../resources/pages/journal/index.vue'))['default']>
    'orders/index': ExtractProps<(typeof import('../../resources/pages/orders/index.vue'))['default']>
    'orders/show': ExtractProps<(typeof import('../../resources/pages/orders/show.vue'))['default']>
    'overview/show': ExtractProps<(typeof import('../../resources/pages/overview/show.vue'))['default']>
    'partners/index': ExtractProps<(typeof import('../../resources/pages/partners/index.vue'))['default']>
    'partners/show': ExtractProps<(typeof import('../../resources/pages/partners/show.vue'))['default']>
    'refusals/missing_ability': ExtractProps<(typeof import('../../resources/pages/refusals/missing_ability.vue'))['default']>
    'refusals/not_found': ExtractProps<(typeof import('../../resources/pages/refusals/not_found.vue'))['default']>
    'registers/index': ExtractProps<(typeof import('../../resources/pages/registers/index.vue'))['default']>
    'registers/mapping': ExtractProps<(typeof import('../../resources/pages/registers/mapping.vue'))['default']>
    'registers/show': ExtractProps<(typeof import('../../resources/pages/registers/show.vue'))['default']>
    'rules/index': ExtractProps<(typeof import('../../resources/pages/rules/index.vue'))['default']>
    'runs/index': ExtractProps<(typeof import('../../resources/pages/runs/index.vue'))['default']>
    'runs/schedules': ExtractProps<(typeof import('../../resources/pages/runs/schedules.vue'))['default']>
    'runs/show': ExtractProps<(typeof import('../../resources/pages/runs/show.vue'))['default']>
    'seat_plan/show': ExtractProps<(typeof import('../../resources/pages/seat_plan/show.vue'))['default']>
    'sessions/code': ExtractProps<(typeof import('../../resources/pages/sessions/code.vue'))['default']>
    'sessions/new': ExtractProps<(typeof import('../../resources/pages/sessions/new.vue'))['default']>
    'settlement/account': ExtractProps<(typeof import('../../resources/pages/settlement/account.vue'))['default']>
    'settlement/index': ExtractProps<(typeof import('../../resources/pages/settlement/index.vue'))['default']>
    'settlement/issuer': ExtractProps<(typeof import('../../resources/pages/settlement/issuer.vue'))['default']>
    'settlement/statement': ExtractProps<(typeof import('../../resources/pages/settlement/statement.vue'))['default']>
    'staff/index': ExtractProps<(typeof import('../../resources/pages/staff/index.vue'))['default']>
    'staff/new': ExtractProps<(typeof import('../../resources/pages/staff/new.vue'))['default']>
    'staff/rights': ExtractProps<(typeof import('../../resources/pages/staff/rights.vue'))['default']>
    'staff/show': ExtractProps<(typeof import('../../resources/pages/staff/show.vue'))['default']>
    'webhooks/delivery': ExtractProps<(typeof import('../../resources/pages/webhooks/delivery.vue'))['default']>
    'webhooks/index': ExtractProps<(typeof import('../../resources/pages/webhooks/index.vue'))['default']>
  }
}
