import { z } from '@hono/zod-openapi'
import { ApiKey, TokenPath } from '../api-keys/schemas.ts'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { Job, JobPath } from '../jobs/schemas.ts'
import { PAGED, TOO_LONG } from '../platform/http/schemas/page.ts'
import {
  AccountChange,
  AccountPath,
  AccountsQuery,
  AdministeredAccount,
  AdministeredJob,
  JobsOfAllQuery,
  ListedAccount,
} from './account-schemas.ts'
import { changeAccount, searchAccounts, showAdministeredAccount } from './accounts.ts'
import { cancelAnyJob, listJobsOfAll } from './jobs.ts'
import { revokeToken } from './revoke-key.ts'

const tag = 'Administration'
const access = 'admin'

export const accountAdministrationRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/accounts',
    name: 'admin.listAccounts',
    access,
    tag,
    summary: 'Search accounts, newest first',
    query: AccountsQuery,
    answer: { status: 200, description: 'The accounts', schema: z.array(ListedAccount) },
    handle: ({ deps, query }) => searchAccounts(deps, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/accounts/{account_id}',
    name: 'admin.getAccount',
    access,
    tag,
    summary: 'Get an account with its balance, plan and keys',
    params: AccountPath,
    answer: { status: 200, description: 'The account', schema: AdministeredAccount },
    errors: ['account_not_found'],
    handle: ({ deps, path }) => showAdministeredAccount(deps, path.account_id),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/accounts/{account_id}',
    name: 'admin.updateAccount',
    access,
    tag,
    summary: 'Change the administrator rights, payment access or blocking of an account',
    params: AccountPath,
    body: AccountChange,
    answer: { status: 200, description: 'The account', schema: AdministeredAccount },
    errors: ['account_not_found', 'own_rights_locked', 'account_deleted', 'administrator_elsewhere'],
    handle: ({ deps, caller, path, body }) => changeAccount(deps, caller, path.account_id, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/tokens/{token_id}/revoke',
    name: 'admin.revokeApiKey',
    access,
    tag,
    summary: 'Revoke any API key permanently',
    params: TokenPath,
    answer: { status: 200, description: 'The key', schema: ApiKey },
    errors: ['api_key_not_found'],
    handle: ({ deps, caller, path }) => revokeToken(deps, caller, path.token_id),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/jobs',
    name: 'admin.listJobs',
    access,
    tag,
    summary: 'List jobs of all accounts, newest first',
    description: PAGED,
    query: JobsOfAllQuery,
    answer: { status: 200, description: 'The jobs', schema: z.array(AdministeredJob) },
    localized: true,
    errors: TOO_LONG,
    handle: async ({ deps, query, url }) => answerPage(await listJobsOfAll(deps, query), url),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/jobs/{job_id}/cancel',
    name: 'admin.cancelJob',
    access,
    tag,
    summary: 'Cancel any job',
    params: JobPath,
    answer: { status: 200, description: 'The job', schema: Job },
    localized: true,
    errors: ['job_not_found', 'job_already_finished'],
    handle: ({ deps, caller, path }) => cancelAnyJob(deps, caller, path.job_id),
  }),
]
