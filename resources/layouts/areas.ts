import type { TextKey } from '~/texts/texts'

export interface Area {
  label: TextKey
  icon: string
  to: string
  ability: string
  /** Where its pages lie beside its own. */
  also?: string[]
  /** Pressed after `g`. */
  key: string
}

/** The sections of the back office, in the order of the menu. */
// prettier-ignore
export const AREAS: Area[] = [
  { label: 'areas.overview', icon: 'i-lucide-layout-dashboard', to: '/back-office',        ability: 'overview.read', key: 'd' },
  { label: 'areas.events',   icon: 'i-lucide-calendar-days',    to: '/back-office/events', ability: 'events.read',   key: 'e', also: ['/back-office/halls'] },
  { label: 'areas.orders',   icon: 'i-lucide-receipt-text',     to: '/back-office/orders', ability: 'orders.read',   key: 'o' },
  { label: 'areas.partners', icon: 'i-lucide-handshake',        to: '/back-office/partners', ability: 'partners.read', key: 'p' },
  { label: 'areas.grants',   icon: 'i-lucide-grid-3x3',         to: '/back-office/grants', ability: 'partners.read', key: 'r' },
  { label: 'areas.settlement', icon: 'i-lucide-scale', to: '/back-office/settlement', ability: 'settlement.read', key: 'f',
    also: ['/back-office/statements', '/back-office/registers'] },
  { label: 'areas.cases', icon: 'i-lucide-search-alert', to: '/back-office/cases', ability: 'settlement.read', key: 'c', also: ['/back-office/rules'] },
  { label: 'areas.runs', icon: 'i-lucide-file-spreadsheet', to: '/back-office/runs', ability: 'settlement.read', key: 'x',
    also: ['/back-office/report-schedules'] },
  { label: 'areas.webhooks', icon: 'i-lucide-send',             to: '/back-office/webhooks', ability: 'webhooks.read', key: 'w' },
  { label: 'areas.jobs',     icon: 'i-lucide-timer',            to: '/back-office/jobs',   ability: 'jobs.read',     key: 'q' },
  { label: 'areas.gate',     icon: 'i-lucide-scan-qr-code',     to: '/back-office/gate',   ability: 'gate.scan',     key: 'k' },
  { label: 'areas.gate_devices', icon: 'i-lucide-smartphone-nfc', to: '/back-office/gate-devices', ability: 'gate.manage', key: 't' },
  { label: 'areas.journal',  icon: 'i-lucide-scroll-text',      to: '/back-office/journal', ability: 'journal.read', key: 'j' },
  { label: 'areas.staff',    icon: 'i-lucide-users',            to: '/back-office/staff', ability: 'staff.read', key: 's' },
]
