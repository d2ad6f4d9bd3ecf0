import ImportHall from '#catalog/actions/import_hall'
import { readHallPlan } from '#catalog/hall_plan'
import { statement } from '#shared/statement'
import { seedGate, type SandboxGate } from './gate.js'
import { drawHall, type HallLayout } from './hall_drawing.js'
import { ARENA, CHAMBER_HALL } from './halls.js'
import { seedMonths } from './months/seed_months.js'
import { PURPOSES, seedEvent, type Purpose } from './events.js'
import {
  PARTNERS,
  giveGrant,
  revokeGrant,
  seedPartner,
  suspend,
  type SandboxPartner,
} from './partners.js'
import { SEEDER } from './seeder.js'
import { seedStaff, type SandboxStaff } from './staff.js'

export interface Sandbox {
  base_url: string
  staff: SandboxStaff[]
  partners: SandboxPartner[]
  events: { purpose: Purpose; event_id: string }[]
  gate: SandboxGate
}

const VENUE = { ru: 'Дворец «Самал»', kk: '«Самал» сарайы', en: 'Samal Palace' }

/** The data of the certification scenarios (contract, Authentication, Sandbox). Can be run again. */
export async function seedSandbox(baseUrl: string, known: Partial<Sandbox>): Promise<Sandbox> {
  const chamber = await seedHall(CHAMBER_HALL, { name: VENUE })
  const arena = await seedHall(ARENA, { id: chamber.venueId })
  const halls = { chamber: chamber.hallId, arena: arena.hallId }

  const events: Sandbox['events'] = []
  for (const purpose of PURPOSES)
    events.push({ purpose, event_id: await seedEvent(purpose, halls) })

  const partners: SandboxPartner[] = []
  for (const code of Object.keys(PARTNERS)) {
    partners.push(await seedPartner(code))
    await seedGrants(code, events)
  }
  await suspend('suspended')
  await seedMonths(halls.chamber)
  const staff = await seedStaff(known.staff ?? [])
  const gate = await seedGate(known.gate)
  return { base_url: baseUrl, staff, partners, events, gate }
}

async function seedGrants(code: string, events: Sandbox['events']) {
  for (const { purpose, event_id: eventId } of events) {
    // Grants that were changed since stay as they are.
    if (purpose === 'ungranted' || (await wasGranted.first({ code, eventId }))) continue
    await giveGrant(code, eventId)
    if (purpose === 'revoked') await revokeGrant(code, eventId)
  }
}

const wasGranted = statement<Record<string, never>, { code: string; eventId: string }>(
  'sandbox_was_granted',
  `SELECT FROM event_grants g JOIN partners p ON p.id = g.partner_id WHERE p.code = :code AND g.event_id = :eventId`
)

const findHall = statement<{ id: number; venue_id: string }, { digest: string }>(
  'sandbox_find_hall',
  'SELECT id, venue_id FROM halls WHERE plan_digest = :digest'
)

async function seedHall(layout: HallLayout, venue: { id: string } | { name: typeof VENUE }) {
  const drawing = drawHall(layout)
  const known = await findHall.first({ digest: readHallPlan(drawing.planSvg).digest })
  if (known) return { hallId: known.id, venueId: known.venue_id }
  return new ImportHall().handle({ venue, name: { ru: layout.title }, ...drawing, actor: SEEDER })
}
