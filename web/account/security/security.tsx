import { IdentityPanel } from './identity-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** How the owner signs in, and where they are signed in. */
export default function Security() {
  return (
    <>
      <PasswordPanel />
      <IdentityPanel />
      <SessionsPanel />
    </>
  )
}
