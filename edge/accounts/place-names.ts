/**
 * Names under which the home notes the database of an account. They contain no personal data, because the rows outlive
 * the account.
 */

export const emailPlaceName = (addressHash: string) => `email:${addressHash}`

export const keyPlaceName = (keyHash: string) => `key:${keyHash}`

/** @param account_key what session tokens name the account by: its random key, or its id */
export const sessionPlaceName = (account_key: string) => `account:${account_key}`

export const unsubscribePlaceName = (token: string) => `unsubscribe:${token}`
