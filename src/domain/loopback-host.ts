/** Whether a host to listen on is a loopback address, to which no other machine can connect. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(host) ||
    /^::ffff:127(\.\d{1,3}){3}$/i.test(host)
  );
}

/** Networks of this machine, which `slipway dev` allows for receivers on it. */
export const loopbackNetworks = ['127.0.0.0/8', '::1/128'] as const;
