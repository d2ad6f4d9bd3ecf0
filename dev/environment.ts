import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { root } from './paths.ts'

const SECRETS = ['APP_KEY', 'LINK_KEY', 'POSTGRES_PASSWORD']
const EXAMPLE = join(root, '.env.example')

export type Variables = Record<string, string | undefined>

/** Makes `.env` of the example, with fresh secrets; fills in secrets that an existing one lacks. */
export function completeEnvFile() {
  const file = join(root, '.env')
  const isNew = !existsSync(file)
  const text = readFileSync(isNew ? EXAMPLE : file, 'utf8')
  const completed = SECRETS.reduce(fillIn, text)
  if (isNew || completed !== text) {
    writeFileSync(file, completed, { mode: 0o600 })
  }
  return isNew
}

/** As the application reads them: what the environment says comes before what the files say. */
export async function projectVariables(): Promise<Variables> {
  const { EnvLoader, EnvParser } = await import('@adonisjs/core/env')
  const appRoot = new URL(`file://${root}/`)
  const files = await new EnvLoader(appRoot).load()
  const parsed = await Promise.all(
    files.map(({ contents }) => new EnvParser(contents, appRoot).parse())
  )
  return Object.assign({}, ...[...parsed.reverse(), process.env].map(withoutEmpty))
}

export function exampleVariables(): Variables {
  const variables = parseEnv(readFileSync(EXAMPLE, 'utf8'))
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomSecret()]))
  return { ...variables, ...secrets }
}

function fillIn(text: string, name: string) {
  return text.replace(new RegExp(`^${name}=\\s*$`, 'm'), () => `${name}=${randomSecret()}`)
}

function randomSecret() {
  return randomBytes(32).toString('base64url')
}

function withoutEmpty(variables: Variables) {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
}
