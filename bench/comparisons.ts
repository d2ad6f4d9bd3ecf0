import type { ParameterNames } from './build_jobs/jobs.ts'
import type { Job, Sale } from './generator/jobs.ts'
import type { RoundTrips } from './round_trips.ts'
import type { Contender } from './rounds.ts'
import type { Site, Testbed } from './testbed.ts'
import { freeLots, releaseHolds } from './stock.ts'

/** Sales use as many connections as the application has to PostgreSQL; readers use more. */
export const READERS = 50
const SELLERS = 20
const LOTS = 60_000

export type ComparisonName = 'event' | 'seats' | 'booking' | 'flow'

export interface Comparison {
  name: ComparisonName
  title: string
  target: number
  contenders: (Contender & { name: 'ours' | 'limit' | 'at scale' })[]
}

interface Setting {
  testbed: Testbed
  bare: { port: number; pid: number }
  trips: RoundTrips[]
  parameterNames: ParameterNames
}

export function comparisons(setting: Setting): Comparison[] {
  return [
    {
      name: 'event',
      title: 'signed GET /events/{event_id}',
      target: 0.15,
      contenders: reads(setting, ({ shownEvent }) => `/events/${shownEvent}`, '/json'),
    },
    {
      name: 'seats',
      title: 'signed GET /events/{event_id}/seats?sector= of 1,000 seats',
      target: 0.3,
      contenders: reads(
        setting,
        ({ seatsEvent, sector }) => `/events/${seatsEvent}/seats?sector=${sector}`,
        '/bytes'
      ),
    },
    {
      name: 'booking',
      title: 'POST /bookings of two seats',
      target: 0.35,
      contenders: sales(setting, 'booking'),
    },
    {
      name: 'flow',
      title: 'booking, order and confirm',
      target: 0.35,
      contenders: sales(setting, 'flow'),
    },
  ]
}

function reads({ testbed, bare }: Setting, pathAt: (site: Site) => string, barePath: string) {
  const ours = (site: Site, name: 'ours' | 'at scale') => ({
    name,
    groups: groupsOf(testbed, site),
    job: async (durationMs: number): Promise<Job> => {
      const { port, partners } = site
      const path = pathAt(site)
      return { kind: 'read', port, path, partner: partners.bulk, connections: READERS, durationMs }
    },
  })
  const limit = {
    name: 'limit' as const,
    groups: { web: bare.pid },
    job: async (durationMs: number): Promise<Job> => {
      return { kind: 'read', port: bare.port, path: barePath, connections: READERS, durationMs }
    },
  }
  return [ours(testbed.small, 'ours'), limit, ours(testbed.large, 'at scale')]
}

function sales({ testbed, trips, parameterNames }: Setting, sale: Sale) {
  const posts = trips.filter(({ request }) => request.startsWith('POST'))
  const asked = sale === 'booking' ? posts.slice(0, 1) : posts
  const recorded = asked.flatMap(({ statements }) => statements)
  const [ours, atScale] = salesOfSites(testbed, sale)
  const limit = {
    name: 'limit' as const,
    groups: { postgres: testbed.pids.postgres },
    job: async (durationMs: number): Promise<Job> => {
      const { databaseUrl, partners } = testbed.small
      const lots = await lotsOf(testbed.small)
      const counted = { connections: SELLERS, durationMs }
      return {
        kind: 'statements',
        databaseUrl,
        partner: partners.bulk,
        lots,
        recorded,
        parameterNames,
        ...counted,
      }
    },
  }
  return [ours, limit, atScale]
}

/** Sales through the partner API of each of the two sites. */
export function salesOfSites(testbed: Testbed, sale: Sale) {
  const through = <Name extends 'ours' | 'at scale'>(site: Site, name: Name) => ({
    name,
    groups: groupsOf(testbed, site),
    job: async (durationMs: number): Promise<Job> => {
      const { port, partners } = site
      const lots = await lotsOf(site)
      return {
        kind: 'sell',
        port,
        partner: partners.bulk,
        sale,
        lots,
        connections: SELLERS,
        durationMs,
      }
    },
  })
  return [through(testbed.small, 'ours'), through(testbed.large, 'at scale')]
}

async function lotsOf(site: Site) {
  await releaseHolds(site)
  return freeLots(site, LOTS)
}

export const groupsOf = ({ pids }: Testbed, { webPid }: Site) => ({ web: webPid, ...pids })
