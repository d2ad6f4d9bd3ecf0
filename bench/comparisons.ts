import type { Job, Sale } from './generator/jobs.ts'
import type { RoundTrips } from './round_trips.ts'
import type { Contender } from './rounds.ts'
import type { Site, Stage } from './stage.ts'
import { freeLots, releaseHolds } from './stock.ts'

/** Readers come in crowds; sales have as many connections as the application has to PostgreSQL. */
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
  stage: Stage
  bare: { port: number; pid: number }
  trips: RoundTrips[]
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

function reads({ stage, bare }: Setting, pathAt: (site: Site) => string, barePath: string) {
  const ours = (site: Site, name: 'ours' | 'at scale') => ({
    name,
    groups: groupsOf(stage, site),
    job: async (lasts: number): Promise<Job> => {
      const { port, partners } = site
      const path = pathAt(site)
      return { kind: 'read', port, path, partner: partners.bulk, connections: READERS, lasts }
    },
  })
  const limit = {
    name: 'limit' as const,
    groups: { web: bare.pid },
    job: async (lasts: number): Promise<Job> => {
      return { kind: 'read', port: bare.port, path: barePath, connections: READERS, lasts }
    },
  }
  return [ours(stage.small, 'ours'), limit, ours(stage.large, 'at scale')]
}

function sales({ stage, trips }: Setting, sale: Sale) {
  const posts = trips.filter(({ request }) => request.startsWith('POST'))
  const asked = sale === 'booking' ? posts.slice(0, 1) : posts
  const recorded = asked.flatMap(({ statements }) => statements)
  const lotsOf = async (site: Site) => {
    await releaseHolds(site)
    return freeLots(site, LOTS)
  }
  const ours = (site: Site, name: 'ours' | 'at scale') => ({
    name,
    groups: groupsOf(stage, site),
    job: async (lasts: number): Promise<Job> => {
      const { port, partners } = site
      const lots = await lotsOf(site)
      return {
        kind: 'sell',
        port,
        partner: partners.bulk,
        sale,
        lots,
        connections: SELLERS,
        lasts,
      }
    },
  })
  const limit = {
    name: 'limit' as const,
    groups: { postgres: stage.pids.postgres },
    job: async (lasts: number): Promise<Job> => {
      const { databaseUrl, partners } = stage.small
      const lots = await lotsOf(stage.small)
      const counted = { connections: SELLERS, lasts }
      return {
        kind: 'statements',
        databaseUrl,
        partner: partners.bulk,
        lots,
        recorded,
        ...counted,
      }
    },
  }
  return [ours(stage.small, 'ours'), limit, ours(stage.large, 'at scale')]
}

export const groupsOf = ({ pids }: Stage, { webPid }: Site) => ({ web: webPid, ...pids })
