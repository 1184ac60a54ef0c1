import { BalancePanel } from './balance-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'

/** Balance, plan, email address and what changed the balance. */
export default function Overview() {
  return (
    <>
      <EmailPanel />
      <BalancePanel />
      <LedgerPanel />
    </>
  )
}
