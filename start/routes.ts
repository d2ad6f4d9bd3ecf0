import '#partner_api/routes'
import '#gate/routes'
import '#public_files/routes'
import '#health/routes'
