"""Whichever ends a training first, steps or minutes, decides how far it is and how high the rate."""

from regrapht.distil.training.pace import LEAST_RATE, Pace


def test_steps_end_it():
    pace = Pace(10, None)
    assert not pace.is_over(9) and pace.is_over(10)
    rates = [Pace(100, None).rate(step, 1.0) for step in range(100)]
    assert rates[0] < rates[3] <= 1.0 and rates[4:] == sorted(rates[4:], reverse=True)
    assert LEAST_RATE <= rates[-1] < LEAST_RATE + 0.01


def test_minutes_end_it_earlier_and_earlier_calls_count():
    pace = Pace(1000, 1.0, spent_s=61.0)
    assert pace.is_over(0)
    half = Pace(1000, 1.0, spent_s=30.0)
    assert 0.5 <= half.share(10) < 0.6 and half.rate(100, 1.0) < 0.6


def test_the_rate_rises_over_the_first_steps_also_where_time_has_gone_before_them():
    late = Pace(2000, 5.0, spent_s=60.0)  # a first look at held-out tasks took a minute
    rates = [late.rate(step, 1.0) for step in range(30)]
    assert rates[0] < 0.1 and rates[:20] == sorted(rates[:20]) and rates[20] > 0.8
