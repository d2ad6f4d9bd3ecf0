import { parseArgs } from 'node:util'
import { StartUpError } from '../start_up_error.ts'
import type { Drill, DrillOptions } from './drill.ts'

/** The drills that the command line names, all of them without a name, and their options. */
export function readDrillArguments(args: string[], drills: Map<string, Drill>) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      short: { type: 'boolean' },
      kills: { type: 'string' },
      sales: { type: 'string' },
    },
  })
  const names = positionals.length > 0 ? positionals : [...drills.keys()]
  const unknown = names.find((name) => !drills.has(name))
  if (unknown !== undefined) {
    throw new StartUpError(
      `There is no drill ${unknown}: npm run drill -- ${[...drills.keys()].join(' or ')}`
    )
  }
  for (const option of Object.keys(values) as (keyof DrillOptions)[])
    assertKnown(option, names, drills)
  const options: DrillOptions = {
    short: values.short,
    kills: countOf('kills', values.kills),
    sales: countOf('sales', values.sales),
  }
  return { names, options }
}

function assertKnown(option: keyof DrillOptions, names: string[], drills: Map<string, Drill>) {
  const knows = (name: string) => drills.get(name)!.options?.includes(option) ?? false
  const without = names.filter((name) => !knows(name))
  if (without.length === 0) return
  const others = [...drills.keys()].filter(knows)
  throw new StartUpError(
    `--${option} means nothing to ${without.join(', ')}: it is an option of npm run drill -- ${others.join(' or ')}`
  )
}

function countOf(option: string, given: string | undefined) {
  if (given === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given)
  throw new StartUpError(`--${option}=${given} is not a number above 0`)
}
