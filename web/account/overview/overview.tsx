import { useAccount } from '../../api/account.ts'
import { useConfig } from '../../api/config.ts'
import { Skeleton } from '../../design/surfaces.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'

/** Balance, plan, email address and what changed the balance. */
export default function Overview() {
  const account = useAccount()
  const config = useConfig()
  // Whether the address must be confirmed decides where the rest of the page is.
  if (account.isPending || config.isPending) return <Skeleton height="30rem" />
  return (
    <>
      <EmailPanel />
      <BalancePanel />
      <LedgerPanel />
    </>
  )
}
