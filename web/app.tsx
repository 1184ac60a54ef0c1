import { QueryClientProvider } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso'
import { queries } from './api/media.ts'
import { Toasts } from './design/toasts.tsx'
import { NotFound, ROUTES } from './routes.ts'
import { Footer } from './shell/footer.tsx'
import { Header } from './shell/header.tsx'
import { SCOPE } from './shell/navigation.ts'
import { OfflineNotice } from './shell/offline.tsx'
import { PageFault } from './shell/page-fault.tsx'
import { locale } from './text/locale.ts'

export function App() {
  useEffect(() => {
    document.documentElement.lang = locale.value
  }, [locale.value])
  return (
    <QueryClientProvider client={queries}>
      <LocationProvider scope={SCOPE}>
        <Header />
        <OfflineNotice />
        <PageFault>
          <ErrorBoundary>
            <Router onRouteChange={focusContent}>
              {ROUTES.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        </PageFault>
        <Footer />
        <Toasts />
      </LocationProvider>
    </QueryClientProvider>
  )
}

/** Lets screen readers begin at the new page, as after loading a document. */
function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
