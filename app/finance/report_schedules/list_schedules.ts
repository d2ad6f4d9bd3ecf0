import type { ScheduleLine } from '#finance/report_schedules/report_schedules_props'
import type { WithDates } from '#staff_area/page_props'
import { statement } from '#shared/statement'

const MOST = 500

const selectSchedules = statement<WithDates<ScheduleLine, 'nextAt' | 'lastAt'>>(
  'back_office_report_schedules',
  `SELECT s.id, p.code AS partner, p.name AS "partnerName", s.kind, s.every, s.day, s.hour, s.language, s.recipients,
          s.is_active AS "isActive", s.next_at AS "nextAt", s.last_at AS "lastAt", s.last_run_id AS "lastRunId",
          r.state AS "lastRunState", mailed.sent, mailed.failed, s.created_by AS "createdBy", s.version
     FROM report_schedules s JOIN partners p ON p.id = s.partner_id
     LEFT JOIN settlement_runs r ON r.id = s.last_run_id,
          LATERAL (SELECT count(*) FILTER (WHERE m.state = 'sent')::int AS sent,
                          count(*) FILTER (WHERE m.state = 'failed')::int AS failed
                     FROM mails m WHERE m.schedule_id = s.id AND m.run_id = s.last_run_id) mailed
    ORDER BY lower(p.name), s.id LIMIT ${MOST}`
)

export const listSchedules = () => selectSchedules({})
