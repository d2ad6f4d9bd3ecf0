import type { SharedPageProps } from '#staff_area/shared_props'

declare module '@inertiajs/core' {
  export interface InertiaConfig {
    sharedPageProps: SharedPageProps
  }
}
