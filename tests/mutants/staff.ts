import type { Mutant } from '../../dev/mutation/mutant.ts'

const rights = ['tests/functional/back_office/rights.spec.ts']

export default [
  {
    name: 'a correction is approved by the right to read',
    file: 'app/finance/settlement/routes.ts',
    find: ".as('memo.approve').use(managing())",
    replace: ".as('memo.approve').use(reading())",
    specs: rights,
  },
  {
    name: 'an auditor manages settlement',
    file: 'app/staff_area/permissions.ts',
    find: "'settlement.manage': ['finance'],",
    replace: "'settlement.manage': ['finance', 'auditor'],",
    specs: rights,
  },
  {
    name: 'support cancels events',
    file: 'app/staff_area/permissions.ts',
    find: "'events.cancel':     ['operations'],",
    replace: "'events.cancel':     ['operations', 'support'],",
    specs: rights,
  },
  {
    name: 'anybody with the right to export cancels any run',
    file: 'app/finance/runs/runs_controller.ts',
    find: "    if (!mayCancel(ctx, run)) refuse('NO_SUCH', { what: 'run of yours' })\n",
    replace: '',
    specs: ['tests/functional/finance/runs.spec.ts'],
  },
  {
    name: 'a DELETE needs no token of its form',
    file: 'config/shield.ts',
    find: "['POST', 'PUT', 'PATCH', 'DELETE']",
    replace: "['POST', 'PUT', 'PATCH']",
    specs: rights,
  },
  {
    name: 'one route needs no token of its form',
    file: 'config/shield.ts',
    find: '    enabled: true,\n    enableXsrfCookie',
    replace:
      "    enabled: true,\n    exceptRoutes: ['/back-office/sign-out'],\n    enableXsrfCookie",
    specs: rights,
  },
  {
    name: 'sessions of a disabled person live on when they are enabled',
    file: 'app/staff/actions/disable_staff.ts',
    find: '      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)\n',
    replace: '',
    specs: rights,
  },
  {
    name: 'a pending sign-in lasts for ever',
    file: 'app/staff_area/sign_in/pending_sign_in.ts',
    find: ' || pending.until < Date.now()',
    replace: '',
    specs: ['tests/functional/back_office/sign_in.spec.ts'],
  },
  {
    name: 'a second factor is set without the password',
    file: 'app/staff/actions/set_second_factor.ts',
    find: '      await assertOwnPassword(await lockStaff(id, trx), currentPassword)\n',
    replace: '      await lockStaff(id, trx)\n',
    specs: ['tests/functional/back_office/sign_in.spec.ts'],
  },
  {
    name: 'sessions survive a reset of the second factor',
    file: 'app/staff/actions/reset_second_factor.ts',
    find: '      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)\n',
    replace: '',
    specs: ['tests/functional/back_office/sign_in.spec.ts'],
  },
  {
    name: 'the secret of another person opens',
    file: 'app/staff/second_factor.ts',
    find: '`staff-totp:${staffId}`',
    replace: '`staff-totp:${staffId > 0}`',
    specs: ['tests/functional/back_office/sign_in.spec.ts'],
  },
  {
    name: 'old recovery codes stay',
    file: 'app/staff/recovery_codes.ts',
    find: '  await removeCodes({ staffId }, trx)\n',
    replace: '',
    specs: ['tests/functional/back_office/sign_in.spec.ts'],
  },
] satisfies Mutant[]
