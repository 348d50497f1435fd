/** The revision of the protocol without a handshake. */
import {describe} from 'vitest';
import {testScenarios} from './conformance.ts';
import {scenariosOf} from './referee.ts';

describe('2026-07-28', () => testScenarios('2026-07-28', scenariosOf('2026-07-28')));
