/**
 * Migrations of the releases so far, up to 0.2.0, with the SHA-256 of each file. They have run in live databases, so they never
 * change: what is wrong in them is corrected by another migration. At a release, those that it adds get their lines.
 */
export const RELEASED_MIGRATIONS: Record<string, string> = {
  '1_create_catalog.ts': '83f07fe7f8876bd5c6bb86d7cbf0365e85db3388152754916db1e39027d023a0',
  '2_create_partners.ts': '64f2126d6e42b043f58a1d2e6793375bef14f766a3287ca03252494adcc8b9d3',
  '3_create_inventory.ts': 'a7ae704d6f8cd009ae53ed2be1fbb2063e92c36ebd66d9eddce7a421b8c3da97',
  '4_create_sales.ts': 'ef8dfc964d2373c7e87f2530839e60375d68b4ae83dc85735b398c7811190f8f',
  '5_create_journal_staff_and_gates.ts':
    '71ad58b73b6f00fc222784d468b56d41ccb7b66338630543123af5ad91ce4b4a',
  '6_create_webhooks.ts': '92492d5c5e993997e67d60b40d83115f67d33133687855cb3903ae8f6db01eb2',
  '7_create_work_log.ts': '084eccef916cc44e1705cb5e596265e8fd03cd6f84768d4566955e1197024386',
  '8_create_settlement.ts': '40757ea033593e9fb6998b2fa70913f17342f78bb8e47031f62f114b0c68ef65',
  '9_create_defects.ts': '00302dce398406574f872e3fb17a7f49ae367f54d6f60899252dd47d18d6046f',
  '10_create_runs.ts': '34982be9bc882a21ea24cc9f73e911f08d417dabd9b64e1d19a58aaac61731bf',
  '11_create_registers.ts': 'fac0f5f223cfb52c9b9fed5ca92bbf0b39836dbcffa7b12e15938bde0495ba13',
  '12_create_mails.ts': '8ca694a4fe4b0f31eb88df1e2dd2004450e873cc55b36bada8fda985df7ddf48',
  '13_create_partner_gate_and_restore_mark.ts':
    '14c1781a82adb657f6cceb203d9ca01c4bd0e66f98bf405573fc73242ae33614',
  '14_watch_failed_confirms.ts': '99e84b334ca33082948f1235ffe6c74380fef56779452109cbca86f6781fc7c7',
  '15_create_staff_safeguards.ts':
    '169eb74924718b728527e41b41192be89ee69355a2be56fbb4079e821e068bc0',
  '16_create_statement_mailings.ts':
    'ac181a205d3a4b4611c58dd18753e61fb60c6fa7e4734ed233e39782048ed07b',
  '17_enforce_state_tables.ts': '020226dd6617a7245c4981a37050f8cc0ac2b27222c56e4fffc9dbdcc8514845',
}
