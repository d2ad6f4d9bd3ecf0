import { readFileSync, writeFileSync } from 'node:fs'
import { sign } from './sign.ts'
import type { Judge, Site, Verdict } from './types.ts'

/** One judge in a process of its own: what it leaves open or breaks ends with it. */
const [name, siteFile, verdictFile] = process.argv.slice(2)

const { default: judge } = (await import(`./judges/${name}.ts`)) as { default: Judge }
const site = JSON.parse(readFileSync(siteFile, 'utf8')) as Site
const verdict: Verdict = await judge.run({ ...site, sign })
writeFileSync(verdictFile, JSON.stringify(verdict))
process.exit(0)
