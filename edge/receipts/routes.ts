import { route } from '../http/route.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { setBillingDetails, showBillingDetails } from './billing-details.ts'
import { BillingDetails, ReceiptPath, ReceiptQuery } from './schemas.ts'
import { findInvoice, showReceipt } from './show.ts'

const tag = 'Billing'
const details = { status: 200, description: 'The details', schema: BillingDetails }

export const receiptRoutes = [
  route({
    method: 'get',
    path: '/api/v1/billing/details',
    name: 'billing.showDetails',
    access: 'session',
    tag,
    summary: 'Show the billing details of the account',
    answer: details,
    handle: ({ deps, caller }) => showBillingDetails(deps, caller),
  }),
  route({
    method: 'put',
    path: '/api/v1/billing/details',
    name: 'billing.setDetails',
    access: 'session',
    tag,
    summary: 'Replace the billing details of the account',
    description: 'Receipts of later payments contain them. Receipts that were issued before do not change.',
    body: BillingDetails,
    answer: details,
    handle: ({ deps, caller, body }) => setBillingDetails(deps, caller, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/receipts/{token}',
    name: 'billing.receipt',
    access: 'none',
    tag,
    summary: 'Read a receipt or credit note, as a page or PDF',
    description: 'The URL is in the lists of orders and refunds. Everyone who has it can read the receipt.',
    params: ReceiptPath,
    query: ReceiptQuery,
    answer: { status: 200, description: 'The page or PDF', schema: 'file' },
    errors: ['receipt_not_found'],
    handle: async ({ deps, path, query }) => {
      const { name, content_type, content, style } = await showReceipt(deps, path.token, query.format)
      const headers = {
        'content-type': content_type,
        'content-disposition': `inline; filename="${name}"`,
        'content-security-policy': pagePolicy({ 'script-src': "'none'", 'style-src': `'${style}'` }),
        'x-robots-tag': 'noindex',
      }
      return new Response(content, { headers })
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/receipts/{token}/invoice',
    name: 'billing.resellerInvoice',
    access: 'none',
    tag,
    summary: 'Open the invoice of the reseller of a receipt',
    description: 'Redirects to a PDF of the reseller, whose address is valid for a short time.',
    params: ReceiptPath,
    answer: { status: 302, description: 'The address of the invoice, in `Location`', schema: null },
    errors: ['receipt_not_found', 'invoice_not_found', 'payment_provider_unavailable'],
    handle: async ({ deps, path }) =>
      new Response(null, {
        status: 302,
        headers: { location: await findInvoice(deps, path.token) },
      }) as never,
  }),
]
