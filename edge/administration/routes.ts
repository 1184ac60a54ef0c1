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
    access,
    tag,
    summary: 'The catalogue, switched on or off',
    answer: { status: 200, description: 'The operations', schema: z.array(AdministeredOperation) },
    handle: ({ deps }) => listOperations(deps),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/operations/{operation_id}',
    access,
    tag,
    summary: 'Switch an operation on or off; change its figure and its presets',
    params: OperationPath,
    body: OperationChange,
    answer: { status: 200, description: 'The operation', schema: AdministeredOperation },
    errors: { 404: 'Unknown operation' },
    handle: ({ deps, caller, path, body }) => changeOperation(deps, caller, path.operation_id, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/settings',
    access,
    tag,
    summary: 'Every setting with its value, default, type and bounds',
    answer: { status: 200, description: 'The settings', schema: z.array(AdministeredSetting) },
    handle: ({ deps }) => listSettings(deps),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/settings',
    access,
    tag,
    summary: 'Change settings by name, all of them or none',
    body: SettingsChange,
    answer: { status: 200, description: 'All settings', schema: z.array(AdministeredSetting) },
    handle: ({ deps, caller, body }) => changeSettings(deps, caller, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/audit',
    access,
    tag,
    summary: 'Who changed what, newest first',
    query: AuditQuery,
    answer: { status: 200, description: 'The changes', schema: z.array(AuditRow) },
    handle: ({ deps, query }) => showAudit(deps, query),
  }),
]
