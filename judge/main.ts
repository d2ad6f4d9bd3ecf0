import { readFileSync, writeFileSync } from 'node:fs'
import { sign } from './sign.ts'
import type { Judge, Site, Verdict } from './types.ts'

/** Runs one judge in its own process, so that its open handles and crashes affect no other judge. */
const [name, siteFile, verdictFile] = process.argv.slice(2)

const { default: judge } = (await import(`./judges/${name}.ts`)) as { default: Judge }
const site = JSON.parse(readFileSync(siteFile, 'utf8')) as Site
const verdict: Verdict = await judge.run({ ...site, sign })
writeFileSync(verdictFile, JSON.stringify(verdict))
process.exit(0)
