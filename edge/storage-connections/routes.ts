import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { changeConnection } from './change.ts'
import { checkConnection } from './check.ts'
import { CONNECTIONS_MAX, createConnection } from './create.ts'
import { deleteConnection } from './delete.ts'
import { showConnections } from './find.ts'
import {
  StorageConnection,
  StorageConnectionChange,
  StorageConnectionCheck,
  StorageConnectionCreate,
  StorageConnectionPath,
} from './schemas.ts'

const tag = 'Storage connections'

export const storageConnectionRoutes = [
  route({
    method: 'post',
    path: '/api/v1/storage-connections',
    name: 'storageConnections.create',
    access: 'session',
    tag,
    summary: 'Connect a bucket of your own, for imports and exports of jobs',
    description:
      'Jobs read `storage://NAME/KEY` as a file URL, and write their results to the bucket if `output` names ' +
      `the connection. An account has at most ${CONNECTIONS_MAX} connections. The secret is stored encrypted ` +
      'and never returned.',
    body: StorageConnectionCreate,
    idempotent: true,
    answer: { status: 201, description: 'The connection', schema: StorageConnection },
    errors: [
      'storage_connection_exists',
      'too_many_storage_connections',
      'storage_connections_not_configured',
    ],
    handle: ({ deps, caller, body, record }) => createConnection(deps, caller, body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/storage-connections',
    name: 'storageConnections.list',
    access: 'either',
    tag,
    summary: 'List the storage connections, by name',
    answer: { status: 200, description: 'The connections', schema: z.array(StorageConnection) },
    handle: ({ deps, caller }) => showConnections(deps, caller),
  }),
  route({
    method: 'patch',
    path: '/api/v1/storage-connections/{connection_name}',
    name: 'storageConnections.change',
    access: 'session',
    tag,
    summary: 'Change a storage connection; open jobs use the new values',
    params: StorageConnectionPath,
    body: StorageConnectionChange,
    answer: { status: 200, description: 'The connection', schema: StorageConnection },
    errors: ['storage_connection_not_found', 'storage_connections_not_configured'],
    handle: ({ deps, caller, path, body }) => changeConnection(deps, caller, path.connection_name, body),
  }),
  route({
    method: 'delete',
    path: '/api/v1/storage-connections/{connection_name}',
    name: 'storageConnections.delete',
    access: 'session',
    tag,
    summary: 'Delete a storage connection; open jobs that need it fail and are refunded',
    params: StorageConnectionPath,
    answer: { status: 204, description: 'Deleted', schema: null },
    errors: ['storage_connection_not_found'],
    handle: ({ deps, caller, path }) => deleteConnection(deps, caller, path.connection_name),
  }),
  route({
    method: 'post',
    path: '/api/v1/storage-connections/{connection_name}/check',
    name: 'storageConnections.check',
    access: 'session',
    tag,
    summary: 'List the bucket once, and return what is wrong',
    params: StorageConnectionPath,
    answer: { status: 200, description: 'The outcome', schema: StorageConnectionCheck },
    errors: ['storage_connection_not_found', 'storage_connections_not_configured'],
    handle: ({ deps, caller, path }) => checkConnection(deps, caller, path.connection_name),
  }),
]
