import { isoTime } from '../platform/iso-time.ts'
import type { NewConnection } from './queries.ts'

/** Returns the connection as its owner sees it: without its secret. */
export function viewConnection(
  connection: Omit<NewConnection, 'id' | 'accountId' | 'sealedSecret' | 'sealedWith'>,
) {
  const { name, endpoint, region, bucket, prefix, accessKeyId, createdAt, updatedAt } = connection
  return {
    ...{ name, endpoint, region, bucket, prefix, access_key_id: accessKeyId },
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  }
}
