import type { Mutant } from '../../dev/mutation/mutant.ts'

export default [
  {
    name: 'a live deployment can be wiped',
    file: 'app/console/live_refusals.ts',
    find: "if (env.get('DEPLOYMENT') === 'live') throw",
    replace: 'if (!env) throw',
    specs: ['tests/functional/console/live_refusals.spec.ts'],
  },
  {
    name: 'a short key is accepted',
    file: 'start/setting_rules.ts',
    find: 'value!.trim().length < KEY_LENGTH',
    replace: 'value!.trim().length === 0',
    specs: ['tests/unit/start/settings.spec.ts'],
  },
  {
    name: 'every client may be a trusted proxy',
    file: 'start/setting_rules.ts',
    find: 'if (isTooWide(range)) {',
    replace: 'if (!range) {',
    specs: ['tests/unit/start/settings.spec.ts'],
  },
  {
    name: 'only the first problem of the start is reported',
    file: 'start/checks.ts',
    find: "help.split('\\n').map(asProblem)",
    replace: "help.split('\\n').slice(0, 1).map(asProblem)",
    specs: ['tests/functional/console/start_checks.spec.ts'],
  },
  {
    name: 'secrets of a release without a canary are not tried',
    file: 'app/partners/app_key_check.ts',
    find: 'if (stored && !isOpenedSecret(stored.api_key, stored.secret_encrypted)) return false',
    replace: 'if (!stored) isOpenedCanary',
    specs: ['tests/functional/console/start_checks.spec.ts'],
  },
  {
    name: 'a process that started without PostgreSQL keeps a wrong APP_KEY',
    file: 'start/app_key.ts',
    find: 'if (!isDecided) setTimeout',
    replace: 'if (!isDecided && !refuse) setTimeout',
    specs: ['tests/functional/console/start_checks.spec.ts'],
  },
  {
    name: 'a worker without its port goes on',
    file: 'commands/queue_work.ts',
    find: 'port).catch(endWithFailure)',
    replace: 'port).catch(() => undefined)',
    specs: ['tests/functional/console/start_checks.spec.ts'],
  },
  {
    name: 'a web process that failed stays',
    file: 'start/report_failure.ts',
    find: '  process.exit(1)\n',
    replace: '  return undefined as never\n',
    specs: ['tests/functional/console/start_checks.spec.ts'],
  },
] satisfies Mutant[]
