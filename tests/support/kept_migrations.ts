/**
 * All migrations with the SHA-256 of each file. They have run in databases, so they never change: what is wrong in one is corrected
 * by another. There is no 105. A new one gets its line, the last of all: `sha256sum database/migrations/103_…`.
 */
export const KEPT_MIGRATIONS: Record<string, string> = {
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
  '18_name_failure_notices.ts': '181a2af43f61f06dc25729fb60988194893545c196a4e3b43c21f2414830ec8b',
  '19_wait_for_all_earlier_writes.ts':
    '66703a34fa22a0456d36c68e7ff8f8032d1dabf5c27e9e58ad5d1dad0121a625',
  '20_enforce_register_states.ts':
    'beed3c1a2260805f2ec838dc326466e0d5771df699687c77f301cec9867869dc',
  '21_recognise_repeated_payments.ts':
    'db886faebb5a9064e6e6fc659d4c03ff4b1bcf257435becb40079fd8a7b9ca1f',
  '22_ask_second_people_of_settlement.ts':
    '37ed45ac4fe237a120dcae06737446237417ffc235dd479dc40b9e9e203abf7c',
  '23_keep_our_details.ts': 'e056e7d42b6a01399bbc1b8352d7d40ed6ab89f89830a4cd4a2a08b9ad767cfd',
  '24_seal_statements.ts': '9fd443aa026d829ffaa4ba08ff5b6429372dd274afc5bed60228aa805edcbe08',
  '25_round_once.ts': '03cbd14f9b4e1e207dc1fb30150ab5a8a9dce365a454a0deedafb3d773c597ea',
  '26_expose_every_party.ts': 'af352c71761d3f70ccb00a967517aef13d6e076bbfd09504b3a9cfa3cbdf5967',
  '27_create_register_sources.ts':
    '6d88810583582629c9c791a53942d9c9782cfa10704da3cb23b52b71e427911a',
  '28_allocate_credits.ts': 'c9fe2daa9468adc10798abc6e6ee9912a94542155b8c203d0cee860d96998ed4',
  '29_reverse_payments_and_memos.ts':
    'b45bd62d5812efdf40e49c346966191f6c6712891c61bc9e175942ca6017a0a6',
  '30_find_refused_payments.ts': 'fcfd7eb692256dcffef7555b876c3d0c8c20b2d1241505631f3d90466967ca3a',
  '31_merge_cases.ts': '48b08f39f1e632ec0b83beaad42707819adc484d177b1d80f53b35fa05883c6d',
  '32_decide_fee_rules.ts': '057d06fcba53c53e62353d314471d8f23d2d3f72547cda9fd7ba45c8a421588f',
  '33_explain_balances.ts': '2ef71a4eb1fc3ed0cb9f7a899e9eb792676b3bed4450ad4b71b4497a8c02e7b2',
  '34_name_signatories.ts': '3dadf79e24abb5e2a22d4cdaa56b2550d2683c121bfd98896e6182134fa2af11',
  '35_find_cases_by_payment.ts': 'e884983b9973edef45198ba89c7b8d7bfb88cdcf1c3ae2ed65e4f125913f6e8a',
  '36_set_up_sources.ts': '662aa518ad0c9a3abc25bae07a97fd1318c0fb8e3514ab0644b5370aec26af30',
  '37_ask_how_rows_are_read.ts': '5c333ca18e83e12bf9af8793bfa130e89d6efa3fef27064d0960d7e18e8aa557',
  '38_agree_on_used_tickets_and_payment_days.ts':
    '13ca195e532acc780b64dfff8ca850e534e2619e0429320ceb830bf5767da4bb',
  '39_ask_again_for_reversed_penalties.ts':
    '45d00917969c253466d83a1c6e68fa43d9381f0dd0477e73669bce47e03e8ebd',
  '40_check_matches_once_a_statement.ts':
    '1456fd309e278a4b70e3b3c5a494338598731a9ae3067948fa4de9c7840471df',
  '41_find_remarkable_matches.ts':
    '5a9138c4445bdd3a0e10b924dbe5e7d85410872226074c45a8272af02d2379c8',
  '42_join_parts_of_registers.ts':
    '107cb5ba7b3b36af6307c306e0cd6c630816a15b688838dc80c5a21720c2e64f',
  '43_set_days_of_sources.ts': '1241e99fab68779ed905c013b194c9c05b927080b30873a6c4450e3a3a101e3c',
  '44_keep_what_a_register_covers.ts':
    '771b3e53bbda5c2c4305bfebb023ab2bad35277f0e80a626ef96664f08dc898d',
  '45_validate_movement_kinds_and_rows.ts':
    '53749ec04e2f2e9d13bbdcaebc5c47691461375826e0c39289274ee18f6c4e44',
  '46_number_payments_of_sources.ts':
    'f1089fe067aa989b953fc6024035e7f6674b65e8d8e7ecb75fcdc8da248cafac',
  '47_leave_raw_cells_in_files.ts':
    'c60e7c214dfb6bd6b9ae78b8ee543867041e3702a52420860ac57a229902d0b9',
  '48_find_payments_of_repeats.ts':
    '989b8f5b868e853db58f40b87c80657407bac26d69332729f85bd1d0d83f269d',
  '49_keep_evidence.ts': 'cd6d66faea1bd77cdd860a5efdda828fcc7fc5757fe8d48e3e8a3998c6209789',
  '50_find_refused_confirms.ts': '0b42df60177cb2b1f100a08588e179563555aa63d3c6c1df882f77ca3521fabc',
  '51_keep_fee_rules_of_sources.ts':
    'bbd519f207cf827397d6d9ef0285c183e074c0b18928f490eeb68920e293ad59',
  '55_recognise_the_app_key.ts': 'bbcbc97e413f7e43e5537ca69a5441237df2dc72df6162e13215e7486131b1e3',
  '60_create_invariant_board.ts':
    '598562d716ad122c148b48d5386924a903ff2e09f88390fce2faf1402fc6281a',
  '65_erase_buyers.ts': 'dc3d3d76f02a804afec24773c3065b0ca3fe99f4cb129ef36b6aecafeae052bb',
  '66_find_buyers.ts': 'aa129481ddd1a83cee368f1a7c3e11d1b222b578cbd5e60e326798c1a1eb499a',
  '67_count_shared_payment_ids.ts':
    'aeeb9bf8785a32dcb05cb4ce9c7747a15492e7c8e833c2c94b4b6932ada83f93',
  '70_create_report_views.ts': '5b97e8e08dda656d6bf1d7e4896817f1992cfaa926d02ee108d745745b5357ab',
  '71_analyse_as_owner.ts': 'e1b4ef77946d855207a5605f3570eb185444d64baf66725b256beaa937ab90a4',
  '72_advance_numbers_as_owner.ts':
    '3e507d9d81da1ef9d9860f9051d691b9668058ade0623848d86a591e83e1c4c5',
  '75_recognise_restores.ts': '4d4519c1185625b0bd411fda86b86dc27e4bebc4d301309ae0fe477240f6aeb0',
  '80_prepare_months.ts': '5547e732bf6c45aade0f199a76729bccc4202910a304b29009c782e49af4fac3',
  '81_read_ahead_of_months.ts': 'b3e1cb53eab87302c57023438c41e98cdbd5677989e7142b5591d6c2f6ac012b',
  '82_partition_journal.ts': 'afd9d854207cee58b39ccbbcdffe9babd7107ae7a7daaa1f2d11187fa0790615',
  '83_partition_confirm_attempts.ts':
    '3eb1d71c739d9db29c7f1e5a0ce6bdb83a29e3efe679b84daa2de96fea34f713',
  '84_validate_journal_references.ts':
    '1d6d97e027a68b4f064d5f40c4966edf6d56888df8ecc32d9df4002d834b79c3',
  '85_keep_months.ts': '6a23f8963741775da5e94c38031052a635edf75ad78c44cf30166aafa7e7c8b0',
  '86_remember_how_sources_are_judged.ts':
    'c6a936f0f8913f225d1bef944c9b88f6702410ff5101bce8fb35e354774ee82d',
  '87_validate_how_sources_are_judged.ts':
    'dfa38a1f4f4f26e28a464453b187b4660af46e97793f2de07ab2e69ae464c4d4',
  '88_detach_referenced_months.ts':
    'd6eb376c7f5bd4631e1fe44f3b12284ba4b79b611a072cdeb15bacc75fba9c7f',
  '89_keep_how_payments_were_numbered.ts':
    '5131457c0633f0d2416a1a1e4c934da14e9c970b985419a01e4e168a63b221d7',
  '90_keep_issuers.ts': '04a581b0f253c42b5c7bea298f0bff3dec53949dcb29bde6084299f105d1bb95',
  '91_remember_former_keys_of_cases.ts':
    '489f491cd15a17fb23e772f32ff24a443758a2ba6eff57eb50cdeb6e7358158a',
  '92_find_movements_of_a_day.ts':
    '1951c49d7b764e10b4ee387134eda45099156b71c5d2f6f4f4894cfd6d309db3',
  '93_forget_former_keys_of_cases.ts':
    'd56fed8c84c4e12982d34970fded16564f0550f6f78044385980360fed9368cf',
  '94_never_empty_settlement.ts':
    '85821727e4a1e4280a5f01488c9d7d84193d7412bc0bf74a2c51e2abbf9eb97b',
  '95_find_buyers_by_name.ts': '864589cb3d69043459c7c5e66d52498d3478c0488c31022ae0dc67890e4f30ca',
  '96_book_reversed_payments_again.ts':
    '837b064e0580ef0e779092b16ef980c45f0342283641c65df0b1e655415b9013',
  '99_name_probable_sums.ts': '758eec9c4526ac4f0532d34fe8b4dfe6f23cf3df3aef204e5e0b8cbc795a31fc',
  '100_seal_memos_and_payments.ts':
    '0ea69081bc79827f8f97b8414d8b2d2f9371a57c6d3b2afb2af8574ac8d66dbf',
  '101_list_orders_by_partner_and_event.ts':
    '4f1b695806a380cd729fe6b30c5a87fc8e61ab80a8ee4ae7560a55e80fd3cfd3',
  '102_notice_unchecked_invariants.ts':
    'f63884f78389efaaf4d2f808621cc8e9dfb94d1c3ade0d8c097fbd1cff8ed9a8',
  '103_save_views.ts': '47f3d4f846a84088bf51d7df48780ff30f977d554f9067d4cce575a7c91e1f66',
  '104_keep_answers_to_confirms.ts':
    'a65690d34ee83ba874414e1702685a779523a5cc7469f8da33b9277c27842865',
  '106_expect_orders_of_a_name.ts':
    'bc8181d6510eb0d38606884ff954c1dbc081dc9162c8c3da0e4168d431e0dfd0',
}
