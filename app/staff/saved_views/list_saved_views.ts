import type { SavedView } from '#staff/saved_views/saved_view'
import { statement } from '#shared/statement'

/** A person's views of a list and those that others share, by name. */
export const listSavedViews = statement<SavedView, { staffId: number; list: string }>(
  'staff_saved_views',
  `SELECT v.id, v.name, v.is_shared AS "isShared", v.filters, v.columns, v.staff_id = :staffId AS "isMine",
          CASE WHEN v.staff_id <> :staffId THEN s.full_name END AS "madeBy", d.view_id IS NOT NULL AS "isDefault"
     FROM saved_views v JOIN staff s ON s.id = v.staff_id
     LEFT JOIN default_views d ON d.view_id = v.id AND d.staff_id = :staffId
    WHERE v.list = :list AND (v.staff_id = :staffId OR v.is_shared) ORDER BY lower(v.name), v.id`
)
