/** Public URL of the service in the built documentation. The edge replaces it with PUBLIC_URL. */
export const DOCUMENTED_URL = 'https://media.example.com'
