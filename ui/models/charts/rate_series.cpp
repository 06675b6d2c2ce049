#include "ui/models/charts/rate_series.h"

#include <algorithm>

namespace lockscope::models {

void RateSeries::clear()
{
    m_samples.clear();
    m_resolution = Duration(0);
}

void RateSeries::add(RateSample sample)
{
    const bool isNew = m_samples.empty() || sample.at - m_samples.back().at > m_resolution;
    if (!isNew) {
        return;
    }
    m_samples.push_back(sample);
    if (m_samples.size() > kSamplesAtMost) {
        coarsen();
    }
}

void RateSeries::coarsen()
{
    for (std::size_t pair = 0; pair < m_samples.size() / 2; ++pair) {
        const RateSample& one = m_samples[2 * pair];
        const RateSample& other = m_samples[2 * pair + 1];
        m_samples[pair] = {other.at, (one.perSecond + other.perSecond) / 2};
    }
    m_samples.resize(m_samples.size() / 2);
    m_resolution = (m_samples.back().at - m_samples.front().at)
                   / static_cast<std::int64_t>(m_samples.size());
}

double RateSeries::largest() const
{
    double largest = 0;
    for (const RateSample& sample : m_samples) {
        largest = std::max(largest, sample.perSecond);
    }
    return largest;
}

} // namespace lockscope::models
