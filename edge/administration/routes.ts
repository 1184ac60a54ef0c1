import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { showAudit } from './audit.ts'
import { changeOperation, listOperations } from './operations.ts'
import { changeSettings, listSettings } from './settings.ts'
import {
  AdministeredOperation,
  AdministeredSetting,
  AuditQuery,
  AuditRow,
  OperationChange,
  OperationPath,
  SettingsChange,
} from './settings-schemas.ts'

const tag = 'Administration'
const access = 'admin'

export const administrationRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/operations',
    name: 'admin.listOperations',
    access,
    tag,
    summary: 'List all operations, enabled or disabled',
    answer: { status: 200, description: 'The operations', schema: z.array(AdministeredOperation) },
    handle: ({ deps }) => listOperations(deps),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/operations/{operation_id}',
    name: 'admin.updateOperation',
    access,
    tag,
    summary: 'Enable or disable an operation; change its credits per call and presets',
    params: OperationPath,
    body: OperationChange,
    answer: { status: 200, description: 'The operation', schema: AdministeredOperation },
    errors: ['operation_not_found'],
    handle: ({ deps, caller, path, body }) => changeOperation(deps, caller, path.operation_id, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/settings',
    name: 'admin.getSettings',
    access,
    tag,
    summary: 'List settings with their values, defaults, types and bounds',
    answer: { status: 200, description: 'The settings', schema: z.array(AdministeredSetting) },
    handle: ({ deps }) => listSettings(deps),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/settings',
    name: 'admin.updateSettings',
    access,
    tag,
    summary: 'Change settings by name, all or none',
    body: SettingsChange,
    answer: { status: 200, description: 'All settings', schema: z.array(AdministeredSetting) },
    handle: ({ deps, caller, body }) => changeSettings(deps, caller, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/audit',
    name: 'admin.listAuditEntries',
    access,
    tag,
    summary: 'List administrative changes, newest first',
    query: AuditQuery,
    answer: { status: 200, description: 'The changes', schema: z.array(AuditRow) },
    handle: ({ deps, query }) => showAudit(deps, query),
  }),
]
