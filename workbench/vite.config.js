import { defineConfig } from 'vite';

// While the page is developed it asks this server: SHEAF_URL=http://127.0.0.1:8000 npm run dev
const target = process.env.SHEAF_URL ?? 'http://127.0.0.1:8000';
const asked = {
  target,
  changeOrigin: true,
  configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
};

export default defineConfig({
  base: '/workbench/',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: { target: 'es2022', outDir: process.env.SHEAF_WORKBENCH_OUT ?? 'dist', emptyOutDir: true, modulePreload: false },
  server: {
    fs: { allow: ['..'] }, // the examples of ../models
    proxy: {
      '^/(models|heat|workbench/api)(/|\\?|$)': asked,
      '^/$': { ...asked, bypass: (request) => (request.method === 'POST' ? undefined : '/workbench/') },
    },
  },
});
