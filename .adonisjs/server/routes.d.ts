import '@adonisjs/core/types/http'

type ParamValue = string | number | bigint | boolean

export type ScannedRoutes = {
  ALL: {
    'partner_api.public.get_description': { paramsTuple?: []; params?: {} }
    'partner_api.public.get_event_keys': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.list_events': { paramsTuple?: []; params?: {} }
    'partner_api.get_event': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.list_seats': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.create_booking': { paramsTuple?: []; params?: {} }
    'partner_api.create_order': { paramsTuple?: []; params?: {} }
    'partner_api.find_order': { paramsTuple?: []; params?: {} }
    'partner_api.confirm_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.cancel_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.refund_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'landing': { paramsTuple?: []; params?: {} }
    'reference.show': { paramsTuple?: []; params?: {} }
    'reference.guide': { paramsTuple?: []; params?: {} }
    'reference.check_vector': { paramsTuple?: []; params?: {} }
    'reference.qr_check_vector': { paramsTuple?: []; params?: {} }
    'reference.example': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'gate.scans': { paramsTuple?: []; params?: {} }
    'hall_plan': { paramsTuple: [ParamValue]; params: {'digest': ParamValue} }
    'ticket_pdf': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'asset': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'health.metrics': { paramsTuple?: []; params?: {} }
    'back_office.sign_in': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.store': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.code': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.code.store': { paramsTuple?: []; params?: {} }
    'back_office.language': { paramsTuple?: []; params?: {} }
    'back_office.sign_out': { paramsTuple?: []; params?: {} }
    'back_office.account.password': { paramsTuple?: []; params?: {} }
    'back_office.account.password.update': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor.update': { paramsTuple?: []; params?: {} }
    'back_office.account.show': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor.drop': { paramsTuple?: []; params?: {} }
    'back_office.account.recovery_codes': { paramsTuple?: []; params?: {} }
    'back_office.account.recovery_codes.renew': { paramsTuple?: []; params?: {} }
    'back_office.account.sessions.end': { paramsTuple?: [ParamValue?]; params?: {'id'?: ParamValue} }
    'back_office.saved_views.store': { paramsTuple?: []; params?: {} }
    'back_office.saved_view.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.saved_view.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.default_view': { paramsTuple: [ParamValue]; params: {'list': ParamValue} }
    'back_office.overview': { paramsTuple?: []; params?: {} }
    'back_office.find': { paramsTuple?: []; params?: {} }
    'back_office.orders': { paramsTuple?: []; params?: {} }
    'back_office.orders.export': { paramsTuple?: []; params?: {} }
    'back_office.orders.total': { paramsTuple?: []; params?: {} }
    'back_office.order': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.order.void': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.order.erase_buyer': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.webhooks': { paramsTuple?: []; params?: {} }
    'back_office.webhooks.export': { paramsTuple?: []; params?: {} }
    'back_office.webhook.ping': { paramsTuple: [ParamValue]; params: {'partner': ParamValue} }
    'back_office.webhook.replay': { paramsTuple: [ParamValue]; params: {'partner': ParamValue} }
    'back_office.delivery': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.delivery.push': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.jobs': { paramsTuple?: []; params?: {} }
    'back_office.job.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'queue': ParamValue,'id': ParamValue} }
    'back_office.invariants': { paramsTuple?: []; params?: {} }
    'back_office.invariants.run': { paramsTuple?: []; params?: {} }
    'back_office.invariant.run': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'back_office.gate_devices': { paramsTuple?: []; params?: {} }
    'back_office.gate_devices.store': { paramsTuple?: []; params?: {} }
    'back_office.gate_devices.revoke': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.partners': { paramsTuple?: []; params?: {} }
    'back_office.partners.export': { paramsTuple?: []; params?: {} }
    'back_office.partner': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.create': { paramsTuple?: []; params?: {} }
    'back_office.partner.change': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.addresses': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.status': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.endpoint': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.key': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.key.rotate': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'key': ParamValue} }
    'back_office.partner.key.revoke': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'key': ParamValue} }
    'back_office.grants': { paramsTuple?: []; params?: {} }
    'back_office.grants.change': { paramsTuple?: []; params?: {} }
    'back_office.seat_plan': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seats': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seat': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'space': ParamValue} }
    'back_office.seat_plan.changes': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.block': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.unblock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.carts': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.hold': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.release': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'cart': ParamValue} }
    'back_office.seat_plan.sell': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'cart': ParamValue} }
    'back_office.events': { paramsTuple?: []; params?: {} }
    'back_office.events.export': { paramsTuple?: []; params?: {} }
    'back_office.events.choices': { paramsTuple?: []; params?: {} }
    'back_office.events.new': { paramsTuple?: []; params?: {} }
    'back_office.events.store': { paramsTuple?: []; params?: {} }
    'back_office.event': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.edit': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.status': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.times': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.cancellation': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cancellation_request.approve': { paramsTuple: [ParamValue]; params: {'request': ParamValue} }
    'back_office.cancellation_request.decline': { paramsTuple: [ParamValue]; params: {'request': ParamValue} }
    'back_office.halls': { paramsTuple?: []; params?: {} }
    'back_office.halls.new': { paramsTuple?: []; params?: {} }
    'back_office.halls.check': { paramsTuple?: []; params?: {} }
    'back_office.halls.store': { paramsTuple?: []; params?: {} }
    'back_office.staff.export': { paramsTuple?: []; params?: {} }
    'back_office.staff.index': { paramsTuple?: []; params?: {} }
    'back_office.staff.rights': { paramsTuple?: []; params?: {} }
    'back_office.staff.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.create': { paramsTuple?: []; params?: {} }
    'back_office.staff.store': { paramsTuple?: []; params?: {} }
    'back_office.staff.role': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.standing': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.password': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.second_factor': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.sign_in_lock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.journal': { paramsTuple?: []; params?: {} }
    'back_office.journal.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement': { paramsTuple?: []; params?: {} }
    'back_office.settlement.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement.account': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.terms': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.terms.withdraw': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'id': ParamValue} }
    'back_office.settlement.issue': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.memo': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.payment': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.allocate': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.allocation.undo': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'id': ParamValue} }
    'back_office.payment.reverse': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.memo.reverse': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.pdf': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.status': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.withdraw': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement_request.approve': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement_request.decline': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.issuer': { paramsTuple?: []; params?: {} }
    'back_office.issuer.set': { paramsTuple?: []; params?: {} }
    'back_office.memo.approve': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.memo.decline': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.registers': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.registers.store': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.register.export': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.drop': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.mapping': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.mapping.set': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.look': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.parts': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.part': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'number': ParamValue} }
    'back_office.register.sheets': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.left_out_sheets': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.source': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.words': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.fee_rule': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.setup': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.match': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.decide': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.confirm': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cases': { paramsTuple?: []; params?: {} }
    'back_office.cases.export': { paramsTuple?: []; params?: {} }
    'back_office.cases.change': { paramsTuple?: []; params?: {} }
    'back_office.returns': { paramsTuple?: []; params?: {} }
    'back_office.case': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.owner': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.note': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.penalty': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.check': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.runs': { paramsTuple?: []; params?: {} }
    'back_office.runs.check_file': { paramsTuple?: []; params?: {} }
    'back_office.run': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.run.cancel': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.run.file': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'name': ParamValue} }
    'back_office.settlement.workbook': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.answers': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.run.answers': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.rules': { paramsTuple?: []; params?: {} }
    'back_office.rules.activate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.rules.compare': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement.contact': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.contact.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.contact.remove': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.mail': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedules': { paramsTuple?: []; params?: {} }
    'back_office.report_schedule.create': { paramsTuple?: []; params?: {} }
    'back_office.report_schedule.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.standing': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.run': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.remove': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.gate': { paramsTuple?: []; params?: {} }
    'back_office.gate.list': { paramsTuple: [ParamValue]; params: {'event': ParamValue} }
    'back_office.gate.scans': { paramsTuple?: []; params?: {} }
    'back_office.nowhere': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  GET: {
    'partner_api.public.get_description': { paramsTuple?: []; params?: {} }
    'partner_api.public.get_event_keys': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.list_events': { paramsTuple?: []; params?: {} }
    'partner_api.get_event': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.list_seats': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.find_order': { paramsTuple?: []; params?: {} }
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'landing': { paramsTuple?: []; params?: {} }
    'reference.show': { paramsTuple?: []; params?: {} }
    'reference.guide': { paramsTuple?: []; params?: {} }
    'reference.check_vector': { paramsTuple?: []; params?: {} }
    'reference.qr_check_vector': { paramsTuple?: []; params?: {} }
    'reference.example': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'hall_plan': { paramsTuple: [ParamValue]; params: {'digest': ParamValue} }
    'ticket_pdf': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'asset': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'health.metrics': { paramsTuple?: []; params?: {} }
    'back_office.sign_in': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.code': { paramsTuple?: []; params?: {} }
    'back_office.account.password': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor': { paramsTuple?: []; params?: {} }
    'back_office.account.show': { paramsTuple?: []; params?: {} }
    'back_office.account.recovery_codes': { paramsTuple?: []; params?: {} }
    'back_office.overview': { paramsTuple?: []; params?: {} }
    'back_office.find': { paramsTuple?: []; params?: {} }
    'back_office.orders': { paramsTuple?: []; params?: {} }
    'back_office.orders.export': { paramsTuple?: []; params?: {} }
    'back_office.orders.total': { paramsTuple?: []; params?: {} }
    'back_office.order': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.webhooks': { paramsTuple?: []; params?: {} }
    'back_office.webhooks.export': { paramsTuple?: []; params?: {} }
    'back_office.delivery': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.jobs': { paramsTuple?: []; params?: {} }
    'back_office.invariants': { paramsTuple?: []; params?: {} }
    'back_office.gate_devices': { paramsTuple?: []; params?: {} }
    'back_office.partners': { paramsTuple?: []; params?: {} }
    'back_office.partners.export': { paramsTuple?: []; params?: {} }
    'back_office.partner': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.grants': { paramsTuple?: []; params?: {} }
    'back_office.seat_plan': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seats': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seat': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'space': ParamValue} }
    'back_office.seat_plan.changes': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.carts': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.events': { paramsTuple?: []; params?: {} }
    'back_office.events.export': { paramsTuple?: []; params?: {} }
    'back_office.events.choices': { paramsTuple?: []; params?: {} }
    'back_office.events.new': { paramsTuple?: []; params?: {} }
    'back_office.event': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.edit': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.halls': { paramsTuple?: []; params?: {} }
    'back_office.halls.new': { paramsTuple?: []; params?: {} }
    'back_office.staff.export': { paramsTuple?: []; params?: {} }
    'back_office.staff.index': { paramsTuple?: []; params?: {} }
    'back_office.staff.rights': { paramsTuple?: []; params?: {} }
    'back_office.staff.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.create': { paramsTuple?: []; params?: {} }
    'back_office.journal': { paramsTuple?: []; params?: {} }
    'back_office.journal.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement': { paramsTuple?: []; params?: {} }
    'back_office.settlement.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement.account': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.statement': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.pdf': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.issuer': { paramsTuple?: []; params?: {} }
    'back_office.registers': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.register.export': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.mapping': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cases': { paramsTuple?: []; params?: {} }
    'back_office.cases.export': { paramsTuple?: []; params?: {} }
    'back_office.returns': { paramsTuple?: []; params?: {} }
    'back_office.case': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.runs': { paramsTuple?: []; params?: {} }
    'back_office.run': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.run.file': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'name': ParamValue} }
    'back_office.rules': { paramsTuple?: []; params?: {} }
    'back_office.report_schedules': { paramsTuple?: []; params?: {} }
    'back_office.gate': { paramsTuple?: []; params?: {} }
    'back_office.gate.list': { paramsTuple: [ParamValue]; params: {'event': ParamValue} }
    'back_office.nowhere': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  HEAD: {
    'partner_api.public.get_description': { paramsTuple?: []; params?: {} }
    'partner_api.public.get_event_keys': { paramsTuple: [ParamValue]; params: {'event_id': ParamValue} }
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'landing': { paramsTuple?: []; params?: {} }
    'reference.show': { paramsTuple?: []; params?: {} }
    'reference.guide': { paramsTuple?: []; params?: {} }
    'reference.check_vector': { paramsTuple?: []; params?: {} }
    'reference.qr_check_vector': { paramsTuple?: []; params?: {} }
    'reference.example': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'hall_plan': { paramsTuple: [ParamValue]; params: {'digest': ParamValue} }
    'ticket_pdf': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'asset': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'health.metrics': { paramsTuple?: []; params?: {} }
    'back_office.sign_in': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.code': { paramsTuple?: []; params?: {} }
    'back_office.account.password': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor': { paramsTuple?: []; params?: {} }
    'back_office.account.show': { paramsTuple?: []; params?: {} }
    'back_office.account.recovery_codes': { paramsTuple?: []; params?: {} }
    'back_office.overview': { paramsTuple?: []; params?: {} }
    'back_office.find': { paramsTuple?: []; params?: {} }
    'back_office.orders': { paramsTuple?: []; params?: {} }
    'back_office.orders.export': { paramsTuple?: []; params?: {} }
    'back_office.orders.total': { paramsTuple?: []; params?: {} }
    'back_office.order': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.webhooks': { paramsTuple?: []; params?: {} }
    'back_office.webhooks.export': { paramsTuple?: []; params?: {} }
    'back_office.delivery': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.jobs': { paramsTuple?: []; params?: {} }
    'back_office.invariants': { paramsTuple?: []; params?: {} }
    'back_office.gate_devices': { paramsTuple?: []; params?: {} }
    'back_office.partners': { paramsTuple?: []; params?: {} }
    'back_office.partners.export': { paramsTuple?: []; params?: {} }
    'back_office.partner': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.grants': { paramsTuple?: []; params?: {} }
    'back_office.seat_plan': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seats': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.seat': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'space': ParamValue} }
    'back_office.seat_plan.changes': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.carts': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.events': { paramsTuple?: []; params?: {} }
    'back_office.events.export': { paramsTuple?: []; params?: {} }
    'back_office.events.choices': { paramsTuple?: []; params?: {} }
    'back_office.events.new': { paramsTuple?: []; params?: {} }
    'back_office.event': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.edit': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.halls': { paramsTuple?: []; params?: {} }
    'back_office.halls.new': { paramsTuple?: []; params?: {} }
    'back_office.staff.export': { paramsTuple?: []; params?: {} }
    'back_office.staff.index': { paramsTuple?: []; params?: {} }
    'back_office.staff.rights': { paramsTuple?: []; params?: {} }
    'back_office.staff.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.create': { paramsTuple?: []; params?: {} }
    'back_office.journal': { paramsTuple?: []; params?: {} }
    'back_office.journal.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement': { paramsTuple?: []; params?: {} }
    'back_office.settlement.export': { paramsTuple?: []; params?: {} }
    'back_office.settlement.account': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.statement': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.pdf': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.issuer': { paramsTuple?: []; params?: {} }
    'back_office.registers': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.register.export': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.mapping': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cases': { paramsTuple?: []; params?: {} }
    'back_office.cases.export': { paramsTuple?: []; params?: {} }
    'back_office.returns': { paramsTuple?: []; params?: {} }
    'back_office.case': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.runs': { paramsTuple?: []; params?: {} }
    'back_office.run': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.run.file': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'name': ParamValue} }
    'back_office.rules': { paramsTuple?: []; params?: {} }
    'back_office.report_schedules': { paramsTuple?: []; params?: {} }
    'back_office.gate': { paramsTuple?: []; params?: {} }
    'back_office.gate.list': { paramsTuple: [ParamValue]; params: {'event': ParamValue} }
    'back_office.nowhere': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  POST: {
    'partner_api.create_booking': { paramsTuple?: []; params?: {} }
    'partner_api.create_order': { paramsTuple?: []; params?: {} }
    'partner_api.confirm_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.cancel_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.refund_order': { paramsTuple: [ParamValue]; params: {'order_id': ParamValue} }
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'gate.scans': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.store': { paramsTuple?: []; params?: {} }
    'back_office.sign_in.code.store': { paramsTuple?: []; params?: {} }
    'back_office.sign_out': { paramsTuple?: []; params?: {} }
    'back_office.account.recovery_codes.renew': { paramsTuple?: []; params?: {} }
    'back_office.saved_views.store': { paramsTuple?: []; params?: {} }
    'back_office.order.void': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.order.erase_buyer': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.webhook.ping': { paramsTuple: [ParamValue]; params: {'partner': ParamValue} }
    'back_office.webhook.replay': { paramsTuple: [ParamValue]; params: {'partner': ParamValue} }
    'back_office.delivery.push': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.job.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'queue': ParamValue,'id': ParamValue} }
    'back_office.invariants.run': { paramsTuple?: []; params?: {} }
    'back_office.invariant.run': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'back_office.gate_devices.store': { paramsTuple?: []; params?: {} }
    'back_office.gate_devices.revoke': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.partner.create': { paramsTuple?: []; params?: {} }
    'back_office.partner.key': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.key.rotate': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'key': ParamValue} }
    'back_office.seat_plan.block': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.hold': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.sell': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'cart': ParamValue} }
    'back_office.events.store': { paramsTuple?: []; params?: {} }
    'back_office.event.cancellation': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cancellation_request.approve': { paramsTuple: [ParamValue]; params: {'request': ParamValue} }
    'back_office.cancellation_request.decline': { paramsTuple: [ParamValue]; params: {'request': ParamValue} }
    'back_office.halls.check': { paramsTuple?: []; params?: {} }
    'back_office.halls.store': { paramsTuple?: []; params?: {} }
    'back_office.staff.store': { paramsTuple?: []; params?: {} }
    'back_office.staff.password': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement.terms': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.issue': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.memo': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.payment': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.allocate': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.payment.reverse': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.memo.reverse': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.withdraw': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement_request.approve': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement_request.decline': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.issuer.set': { paramsTuple?: []; params?: {} }
    'back_office.memo.approve': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.memo.decline': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.registers.store': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.register.parts': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.sheets': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.left_out_sheets': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.match': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.confirm': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.note': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.penalty': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.check': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.runs.check_file': { paramsTuple?: []; params?: {} }
    'back_office.run.cancel': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement.workbook': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.settlement.answers': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.run.answers': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.rules.compare': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement.contact': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.statement.mail': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.create': { paramsTuple?: []; params?: {} }
    'back_office.report_schedule.run': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.gate.scans': { paramsTuple?: []; params?: {} }
  }
  ACL: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  BIND: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  CHECKOUT: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  CONNECT: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  COPY: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  DELETE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'back_office.account.second_factor.drop': { paramsTuple?: []; params?: {} }
    'back_office.account.sessions.end': { paramsTuple?: [ParamValue?]; params?: {'id'?: ParamValue} }
    'back_office.saved_view.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.partner.key.revoke': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'key': ParamValue} }
    'back_office.seat_plan.unblock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.seat_plan.release': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'cart': ParamValue} }
    'back_office.staff.second_factor': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.sign_in_lock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.settlement.terms.withdraw': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'id': ParamValue} }
    'back_office.settlement.allocation.undo': { paramsTuple: [ParamValue,ParamValue]; params: {'code': ParamValue,'id': ParamValue} }
    'back_office.register.drop': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.part': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'number': ParamValue} }
    'back_office.contact.remove': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.remove': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
  }
  LINK: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  LOCK: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  MERGE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  MKACTIVITY: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  MKCALENDAR: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  MKCOL: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  MOVE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  NOTIFY: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  OPTIONS: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PATCH: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PROPFIND: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PROPPATCH: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PURGE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PUT: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'back_office.language': { paramsTuple?: []; params?: {} }
    'back_office.account.password.update': { paramsTuple?: []; params?: {} }
    'back_office.account.second_factor.update': { paramsTuple?: []; params?: {} }
    'back_office.saved_view.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.default_view': { paramsTuple: [ParamValue]; params: {'list': ParamValue} }
    'back_office.partner.change': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.addresses': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.status': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.partner.endpoint': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'back_office.grants.change': { paramsTuple?: []; params?: {} }
    'back_office.event.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.status': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.event.times': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.role': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.staff.standing': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.statement.status': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.mapping.set': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.look': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.source': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.words': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.fee_rule': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.setup': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.register.decide': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.cases.change': { paramsTuple?: []; params?: {} }
    'back_office.case.owner': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.case.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.rules.activate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.contact.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.change': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'back_office.report_schedule.standing': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
  }
  QUERY: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  REBIND: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  REPORT: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  SEARCH: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  SOURCE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  SUBSCRIBE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  TRACE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  UNBIND: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  UNLINK: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  UNLOCK: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  UNSUBSCRIBE: {
    'partner_api.root': { paramsTuple?: []; params?: {} }
    'partner_api.fallback': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
}
declare module '@adonisjs/core/types/http' {
  export interface RoutesList extends ScannedRoutes {}
}