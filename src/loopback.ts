/** Returns whether traffic to this host stays on this machine. `*.localhost` may resolve to another one. */
export function isLoopback(hostname: string): boolean {
	const host = hostname.toLowerCase();
	return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
