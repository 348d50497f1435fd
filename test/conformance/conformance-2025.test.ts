/** The revisions of the protocol with a handshake. */
import {describe} from 'vitest';
import {testScenarios} from './conformance.ts';
import {scenariosOf} from './referee.ts';

describe('2025-11-25', () => testScenarios('2025-11-25', scenariosOf('2025-11-25')));

describe('2025-03-26', () => {
	testScenarios('2025-03-26', [
		'auth/2025-03-26-oauth-metadata-backcompat',
		'auth/2025-03-26-oauth-endpoint-fallback',
	]);
});
