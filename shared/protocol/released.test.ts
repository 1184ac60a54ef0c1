import { expect, test } from 'vitest'
import { Dispatch } from './dispatch.ts'
import { ERROR_CODES, JobReport } from './job-report.ts'
import { StorageAccess, StorageAccessRequest } from './storage-access.ts'
import { RELEASED } from './testing/released.ts'

/**
 * Messages of the last release, as its edge and fleet send them. During a deployment, one of them meets the new version
 * of the other. Change testing/released.ts only after a release.
 */
test.each(RELEASED.dispatches.map((dispatch) => [dispatch.job_id, dispatch] as const))(
  'a new fleet reads the dispatch %s of an older edge',
  (_, dispatch) => expect(Dispatch.parse(dispatch)).toMatchObject(dispatch),
)

test.each(RELEASED.reports.map((report, index) => [`${index}: ${report.type}`, report] as const))(
  'a new edge reads report %s of an older fleet',
  (_, report) => expect(JobReport.parse(report)).toMatchObject(report),
)

test.each(RELEASED.storage_access_requests.map((request) => [request.type, request] as const))(
  'a new edge reads the %s request for storage access of an older fleet',
  (_, request) => expect(StorageAccessRequest.parse(request)).toMatchObject(request),
)

test.each(RELEASED.storage_accesses.map((access) => [access.outcome, access] as const))(
  'a new fleet reads storage access that an older edge has %s',
  (_, access) => expect(StorageAccess.parse(access)).toMatchObject(access),
)

test('a fleet reads a fault that only a newer edge knows', () => {
  const refused = { outcome: 'refused', fault: 'bucket_locked', address: 'storage://photos/a.jpg' }
  expect(StorageAccess.parse(refused)).toEqual({ ...refused, fault: 'access_refused' })
})

test('an older edge reads every failure that a new fleet can report', () => {
  const { error_codes } = RELEASED
  expect(ERROR_CODES.filter((code) => !error_codes.includes(code))).toEqual([])
})
