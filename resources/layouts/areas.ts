import type { Ability } from '#staff_area/permissions'
import { pathPrefix, urlFor } from '~/routes'
import type { TextKey } from '~/texts/texts'

export interface Area {
  label: TextKey
  icon: string
  to: string
  ability: Ability
  /** Other paths whose pages belong to the section. */
  also?: string[]
  /** Pressed after `g`. */
  key: string
}

/** A part of the menu; the first one has no heading. */
export interface AreaGroup {
  label?: TextKey
  areas: Area[]
}

/** The sections of the back office by kind of work, in the order of the menu. */
// prettier-ignore
export const AREA_GROUPS: AreaGroup[] = [
  { areas: [
    { label: 'areas.overview', icon: 'i-lucide-layout-dashboard', to: urlFor('back_office.overview'), ability: 'overview.read', key: 'd' },
  ] },
  { label: 'area_groups.sales', areas: [
    { label: 'areas.events', icon: 'i-lucide-calendar-days', to: urlFor('back_office.events'), ability: 'events.read', key: 'e', also: [urlFor('back_office.halls')] },
    { label: 'areas.orders', icon: 'i-lucide-receipt-text',  to: urlFor('back_office.orders'), ability: 'orders.read', key: 'o' },
    { label: 'areas.returns', icon: 'i-lucide-undo-2', to: urlFor('back_office.returns'), ability: 'cases.read', key: 'u' },
  ] },
  { label: 'area_groups.partners', areas: [
    { label: 'areas.partners', icon: 'i-lucide-handshake', to: urlFor('back_office.partners'), ability: 'partners.read', key: 'p' },
    { label: 'areas.grants',   icon: 'i-lucide-grid-3x3',  to: urlFor('back_office.grants'),   ability: 'partners.read', key: 'r' },
    { label: 'areas.webhooks', icon: 'i-lucide-send',      to: urlFor('back_office.webhooks'), ability: 'webhooks.read', key: 'w' },
  ] },
  { label: 'area_groups.finance', areas: [
    { label: 'areas.settlement', icon: 'i-lucide-scale', to: urlFor('back_office.settlement'), ability: 'settlement.read', key: 'f',
      also: [pathPrefix('back_office.statement'), pathPrefix('back_office.register')] },
    { label: 'areas.cases', icon: 'i-lucide-search-alert',    to: urlFor('back_office.cases'), ability: 'settlement.read', key: 'c', also: [urlFor('back_office.rules')] },
    { label: 'areas.runs',  icon: 'i-lucide-file-spreadsheet', to: urlFor('back_office.runs'), ability: 'settlement.read', key: 'x',
      also: [urlFor('back_office.report_schedules')] },
  ] },
  { label: 'area_groups.gate', areas: [
    { label: 'areas.gate',         icon: 'i-lucide-scan-qr-code',   to: urlFor('back_office.gate'),         ability: 'gate.scan',   key: 'k' },
    { label: 'areas.gate_devices', icon: 'i-lucide-smartphone-nfc', to: urlFor('back_office.gate_devices'), ability: 'gate.manage', key: 't' },
  ] },
  { label: 'area_groups.system', areas: [
    { label: 'areas.journal',    icon: 'i-lucide-scroll-text',  to: urlFor('back_office.journal'),     ability: 'journal.read',    key: 'j' },
    { label: 'areas.jobs',       icon: 'i-lucide-timer',        to: urlFor('back_office.jobs'),        ability: 'jobs.read',       key: 'q' },
    { label: 'areas.invariants', icon: 'i-lucide-shield-check', to: urlFor('back_office.invariants'),  ability: 'invariants.read', key: 'v' },
    { label: 'areas.staff',      icon: 'i-lucide-users',        to: urlFor('back_office.staff.index'), ability: 'staff.read',      key: 's' },
  ] },
]
