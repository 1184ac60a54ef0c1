import type { ErrorCode } from '../../edge/platform/errors/rules/table.ts'

/**
 * A request whose path, query, body, or form refers to an account's resources. `{name}` stands for a resource from
 * cross-tenant-resources.ts.
 */
export interface CrossTenantRequest {
  endpoint: string
  /** Path parameters that refer to a resource with a different name. */
  path?: Record<string, string>
  query?: string
  body?: object
  /** Form fields, sent along with the sender's own file. */
  form?: Record<string, string>
  /** The authorized sender, which by default is the owner of the resources. */
  by?: 'administrator'
  /**
   * Status for the authorized sender when the requests run in sequence: success, or a conflict with the resource's
   * state.
   */
  served: number
  /** Status and code for a stranger. They are the same for resources that do not exist. */
  refused: readonly [number, ErrorCode | null]
}
