import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ace } from './application.ts'
import { root } from './paths.ts'
import { log, logError } from './output.ts'
import { untilReadyAt } from './readiness.ts'
import { StartUpError } from './start_up_error.ts'
import type { Supervisor } from './supervisor.ts'

/** Starts the production build and stops it, as a deployment would. Returns the exit code. */
export async function smokeStart(
  supervisor: Supervisor,
  testEnv: NodeJS.ProcessEnv,
  build = join(root, 'build')
) {
  if (!existsSync(join(build, 'bin/server.js'))) {
    throw new StartUpError(`There is no build to start in ${build}: run npm run build first.`)
  }
  const env = { ...testEnv, NODE_ENV: 'production', SESSION_DRIVER: 'redis', LOG_LEVEL: 'info' }
  const inBuild = { cwd: build }
  await supervisor.run(ace('migrate', ['migration:run', '--force'], env, inBuild))
  const worker = await supervisor.start(ace('worker', ['queue:work'], env, inBuild))
  const web = await supervisor.start(ace('web', [], env, { ...inBuild, args: ['bin/server.js'] }))

  await Promise.race([untilReadyAt(testEnv.APP_URL!), supervisor.failWhenOneEnds()])
  await readPage(testEnv.APP_URL!)
  log('The build is ready and has its pages; stopping it')
  const endings = await Promise.all(
    [web, worker].map(async (program) => {
      await program.stop()
      return program.ended
    })
  )
  const unclean = endings.filter(({ code }) => code !== 0)
  for (const { name, code, signal } of unclean) {
    logError(`${name} ended with ${signal ?? `exit code ${code}`} instead of 0`)
  }
  return unclean.length === 0 ? 0 : 1
}

/** Reads a page and its script, which the build must have made: no deployment has what makes them. */
async function readPage(url: string) {
  const page = await fetch(`${url}/back-office/sign-in`)
  const [, script] = /<script[^>]+src="([^"]+)"/.exec(await page.text()) ?? []
  if (page.status !== 200 || !script)
    throw new StartUpError(`The page to sign in answers ${page.status}, with no script`)
  const { status } = await fetch(new URL(script, url))
  if (status !== 200) throw new StartUpError(`The script ${script} of a page answers ${status}`)
}
