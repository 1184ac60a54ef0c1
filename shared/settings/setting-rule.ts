/** What a setting of a deployment must look like, beyond its schema. */
export interface SettingRule {
  /**
   * `url`: an encrypted connection to a public host. `private_url`: also an unencrypted one to a host of a private
   * network. `keys`: comma-separated base64 secrets. `named_keys`: the same as `kid:secret`. `secret`: one secret.
   * `text`: anything but a placeholder.
   */
  kind: 'url' | 'private_url' | 'keys' | 'named_keys' | 'secret' | 'text'
  /** Minimum length of a secret. */
  length_min?: number
  /** Matches values that belong to a sandbox of the provider. */
  sandbox?: RegExp
  /** True if a deployment cannot run without the setting, even though the schema has a default. */
  required?: boolean
}

/** A setting that is wrong. The problem never contains the value. */
export interface SettingFault {
  name: string
  problem: string
}

/** One secret and the name of the setting that contains it. */
export interface NamedSecret {
  name: string
  secret: string
}

export const DEPLOYMENTS = ['staging', 'production'] as const
export type Deployment = (typeof DEPLOYMENTS)[number]

export function describeFaults(faults: readonly SettingFault[]): string {
  return faults.map(({ name, problem }) => `- ${name} ${problem}`).join('\n')
}
