/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_SETUP_H
#define ROCE_EXPERIMENT_SETUP_H

#include "roce-experiment-document.h"
#include "roce-helper.h"
#include "roce-scoped-defaults.h"

#include "ns3/object-factory.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The settings of one run of an experiment.
 *
 * Models: congestion control, load balancer, loss recovery and attributes, those of the document
 * first and those of the run after them.
 *
 * Source: none.
 *
 * Invariants: all names and values are those of attributes that exist and take them; a law, a load
 * balancer and a recovery with these attributes have been made once. With "none" hosts send
 * Not-ECT, as with ExperimentHelper::Configure.
 *
 * Leaves out: headroom that does not fit, which RoceHelper::Install says.
 */
class ExperimentSetup
{
  public:
    using Json = ExperimentDocument::Json; //!< a value

    /** \return the runs of a document; std::invalid_argument says what is wrong.
     *  \param document the experiment */
    static std::vector<ExperimentSetup> MakeAll(const ExperimentDocument& document);

    /** \return name of the run */
    const std::string& GetLabel() const
    {
        return m_label;
    }

    /** \return path of the run in the document */
    const std::string& GetPath() const
    {
        return m_path;
    }

    /** \return whether the run has attributes of its own */
    bool HasOwnAttributes() const
    {
        return m_isOwn;
    }

    /** \param defaults get the attributes that are given by type */
    void SetDefaults(ScopedDefaults& defaults) const;

    /** \param roce the helper that will build the fabric */
    void Configure(RoceHelper& roce) const;

  private:
    /** An object of attributes, and whose they are. */
    struct Section
    {
        const char* key;
        TypeId (*type)();
        void (RoceHelper::*set)(const std::string&, const AttributeValue&);
    };

    using Values = std::vector<std::pair<std::string, Ptr<AttributeValue>>>;

    ExperimentSetup(const ExperimentDocument& document, const Json& run, const std::string& path);

    static const std::vector<Section>& Fixed();
    void ReadParts(const ExperimentDocument& document, const Json& run, const std::string& path);
    void ReadObjects(const ExperimentDocument& document,
                     const Json& object,
                     const std::string& path);
    void ReadDefaults(const ExperimentDocument& document,
                      const Json& object,
                      const std::string& path);
    Values ReadSection(const ExperimentDocument& document,
                       const Json& object,
                       const std::string& path,
                       const char* key,
                       TypeId type) const;
    void TryParts(const ExperimentDocument& document, const Json& run) const;

    std::string m_path;
    std::string m_label;
    bool m_isOwn{false};
    std::string m_cc;
    std::string m_lb;
    std::string m_recovery;
    std::string m_paths;
    std::string m_scheduler;
    std::vector<std::pair<std::pair<TypeId, std::string>, Ptr<AttributeValue>>> m_defaults;
    std::vector<std::pair<const Section*, Values>> m_sections;
    Values m_law;
    Values m_balancer;
    Values m_loss;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_SETUP_H
